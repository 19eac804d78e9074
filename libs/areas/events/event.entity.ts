import { Column, Entity } from 'typeorm';
import type { EventStatus, EventType, GenderRestriction, JoinMode, WaitlistMode } from '#contract/vocabulary';
import { asNumber, Id, Instant, Ref } from '#platform/database/columns';
import { isClosed, isFull, participantsOf } from './event-relation';

/** A copy of an image of the event in the event's row, for responses. The original is the row in `event_images`. */
export interface EventImageSnapshot {
  readonly id: number;
  readonly key: string;
  readonly width: number;
  readonly height: number;
  readonly is_primary: boolean;
}

/** An event (EVT-14). `confirmedCount` excludes the organizer, who has no participation. */
@Entity('events')
export class Event {
  @Id()
  id: number;

  @Ref({ name: 'organizer_id' })
  organizerId: number;

  @Ref({ name: 'group_id', nullable: true })
  groupId: number | null;

  @Ref({ name: 'series_id', nullable: true })
  seriesId: number | null;

  /** Position in its series, from 0; null exactly when `seriesId` is null. */
  @Column('integer', { name: 'series_index', nullable: true })
  seriesIndex: number | null;

  @Column('text')
  status: EventStatus;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  type: EventType;

  @Instant({ name: 'starts_at' })
  startsAt: Date;

  @Instant({ name: 'ends_at', nullable: true })
  endsAt: Date | null;

  /** The time from which the event counts as ended; computed by the database from `startsAt` and `endsAt`. */
  @Instant({ name: 'over_at', insert: false, update: false })
  overAt: Date;

  @Column('text', { name: 'location_name', nullable: true })
  locationName: string | null;

  @Column('text', { name: 'location_address', nullable: true })
  locationAddress: string | null;

  @Column('double precision', { nullable: true })
  latitude: number | null;

  @Column('double precision', { nullable: true })
  longitude: number | null;

  @Column('boolean', { name: 'is_public' })
  isPublic: boolean;

  @Column('text', { name: 'join_mode' })
  joinMode: JoinMode;

  @Column('text', { name: 'join_password_sealed', nullable: true })
  joinPasswordSealed: string | null;

  @Column('integer', { name: 'max_participants', nullable: true })
  maxParticipants: number | null;

  @Column('integer', { name: 'confirmed_count' })
  confirmedCount: number;

  /** The number of stored offers. Each offer occupies a seat. */
  @Column({ type: 'integer', name: 'offers_count', insert: false, update: false })
  offersCount: number;

  @Column('boolean', { name: 'seeking_company' })
  seekingCompany: boolean;

  @Column('integer', { name: 'age_min', nullable: true })
  ageMin: number | null;

  @Column('integer', { name: 'age_max', nullable: true })
  ageMax: number | null;

  @Column('text', { name: 'gender_restriction', nullable: true })
  genderRestriction: GenderRestriction | null;

  @Column('numeric', { name: 'price_czk', nullable: true, transformer: asNumber })
  priceCzk: number | null;

  @Column('text', { name: 'price_note', nullable: true })
  priceNote: string | null;

  @Column('text', { name: 'ticket_url', nullable: true })
  ticketUrl: string | null;

  /** Price in credits. Only operators set it. If it is above 0, people cannot join the event (JOIN-7). */
  @Column('integer', { name: 'ticket_price_credits' })
  ticketPriceCredits: number;

  @Column('boolean', { name: 'photos_enabled' })
  photosEnabled: boolean;

  /** The mode that the organizer chose; `waitlistModeOf` gives the effective mode. */
  @Column('text', { name: 'waitlist_mode' })
  waitlistMode: WaitlistMode;

  @Column('integer', { name: 'offer_hours' })
  offerHours: number;

  /** The name of the source of an editorial event; null for events that people created. */
  @Column('text', { name: 'source_name', nullable: true })
  sourceName: string | null;

  @Column('text', { name: 'source_url', nullable: true })
  sourceUrl: string | null;

  @Instant({ name: 'boosted_until', nullable: true })
  boostedUntil: Date | null;

  @Column('jsonb')
  images: EventImageSnapshot[];

  /** A trigger of the database assigns a new value at each change of a field that organizers write (EVT-71). */
  @Ref({ insert: false, update: false })
  version: number;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  @Instant({ name: 'updated_at' })
  updatedAt: Date;

  get isCancelled(): boolean {
    return this.status === 'cancelled';
  }

  get currentParticipants(): number {
    return participantsOf({ confirmed_count: this.confirmedCount });
  }

  get isFull(): boolean {
    return isFull({
      max_participants: this.maxParticipants,
      confirmed_count: this.confirmedCount,
      offers_count: this.offersCount,
    });
  }

  /** Whether the event is cancelled or has ended. */
  isClosed(now: Date): boolean {
    return isClosed({ status: this.status, over_at: this.overAt }, now);
  }
}
