import { Column, Entity } from 'typeorm';
import { PRIVATE_EVENT_VIEWER_STATES, type ParticipationState } from '#contract/vocabulary';
import { Instant, KeyRef, Ref } from '#platform/database/columns';
import { Refusal } from '#platform/http/refusal';
import { newCheckInCode } from '../codes';
import { refusalOf, targetOf, type MovingTrigger, type State, type Trigger } from './participation.transitions';

/**
 * The kinds of digests. A digest is a notice to the organizer that reports how many people joined the event or its
 * waitlist (NOTE-16, NOTE-17, NOTE-20).
 */
export const DIGESTS = ['joined', 'waitlisted'] as const;
export type Digest = (typeof DIGESTS)[number];

/** The states in which `relatedSince` is set. */
const RELATED: ReadonlySet<State> = new Set<State>([...PRIVATE_EVENT_VIEWER_STATES, 'offered']);

/** A user's relation to an event. Without a relation there is no row, and `status` is null. */
@Entity('participations')
export class Participation {
  @KeyRef({ name: 'event_id' })
  eventId: number;

  @KeyRef({ name: 'user_id' })
  userId: number;

  @Column('text')
  status: ParticipationState | null;

  /** When the user was last invited. */
  @Instant({ name: 'invited_at', nullable: true })
  invitedAt: Date | null;

  /** When the user last asked to join. */
  @Instant({ name: 'requested_at', nullable: true })
  requestedAt: Date | null;

  /** When the user was confirmed. This property and the next five are null unless the user is confirmed. */
  @Instant({ name: 'joined_at', nullable: true })
  joinedAt: Date | null;

  @Instant({ name: 'checked_in_at', nullable: true })
  checkedInAt: Date | null;

  /**
   * The name of the door link whose scan counts as the check-in (DOOR-24). Null if a scan or check-in by the organizer
   * counts, or if the user is not checked in.
   */
  @Column('text', { name: 'checked_in_by', nullable: true })
  checkedInBy: string | null;

  @Column('text', { name: 'check_in_code', nullable: true })
  checkInCode: string | null;

  /** The code of the ticket that the user joined with. */
  @Column('text', { name: 'ticket_code', nullable: true })
  ticketCode: string | null;

  /** The id of the hold on the credits that the user paid (credits/README.md). */
  @Ref({ name: 'credit_hold_id', nullable: true })
  creditHoldId: number | null;

  /**
   * Since when the status has been `pending`, `requested`, `waitlisted` or `confirmed` without interruption; null for
   * other statuses, and in rows that were stored before this column existed.
   */
  @Instant({ name: 'related_since', nullable: true })
  relatedSince: Date | null;

  /** The kind of the organizer's next digest that will count this user; null if no digest will count the user. */
  @Column('text', { nullable: true })
  digest: Digest | null;

  /** Until when a seat is held for the waitlisted user; null if there is no offer. */
  @Instant({ name: 'offer_expires_at', nullable: true })
  offerExpiresAt: Date | null;

  @Instant({ name: 'created_at', update: false })
  createdAt: Date;

  @Instant({ name: 'updated_at' })
  updatedAt: Date;

  /** The status; `none` if there is no relation, and `offered` if an offer is stored. */
  get state(): State {
    if (this.status === 'waitlisted' && this.offerExpiresAt !== null) return 'offered';
    return this.status ?? 'none';
  }

  get isConfirmed(): boolean {
    return this.status === 'confirmed';
  }

  /** Throws the refusal of the transition table if the trigger does not apply in this state. */
  refuseUnlessAllowed(trigger: Trigger): void {
    const code = refusalOf(trigger, this.state);
    if (code !== null) throw new Refusal(code);
  }

  /**
   * Applies the trigger according to the transition table, or throws the table's refusal. A newly confirmed participant
   * gets a new check-in code.
   */
  apply(trigger: MovingTrigger, now: Date, { ticketCode = null, offerExpiresAt = null }: TriggerValues = {}): void {
    this.refuseUnlessAllowed(trigger);
    const state = targetOf(trigger, this.state);
    const wasRelated = RELATED.has(this.state);
    const keepsDigest = trigger === 'offer' || trigger === 'withdraw';
    this.status = statusOf(state);
    this.offerExpiresAt = state === 'offered' ? offerExpiresAt : null;
    if (!RELATED.has(state)) this.relatedSince = null;
    else if (!wasRelated) this.relatedSince = now;
    if (!keepsDigest) this.digest = digestAfter(trigger, state);
    if (this.status === 'pending') this.invitedAt = now;
    if (this.status === 'requested') this.requestedAt = now;
    this.joinedAt = this.isConfirmed ? now : null;
    this.checkInCode = this.isConfirmed ? newCheckInCode() : null;
    this.ticketCode = this.isConfirmed ? ticketCode : null;
    this.checkedInAt = null;
    this.checkedInBy = null;
    this.creditHoldId = null;
    this.updatedAt = now;
  }
}

/** Values that a trigger sets: the used ticket, and the end of an offer. */
interface TriggerValues {
  readonly ticketCode?: string | null;
  readonly offerExpiresAt?: Date | null;
}

function statusOf(state: State): ParticipationState | null {
  if (state === 'none') return null;
  return state === 'offered' ? 'waitlisted' : state;
}

/** Returns the participation of a user who has no relation to the event. */
export function unrelatedParticipation(eventId: number, userId: number, now: Date): Participation {
  return Object.assign(new Participation(), {
    eventId,
    userId,
    status: null,
    invitedAt: null,
    requestedAt: null,
    joinedAt: null,
    checkedInAt: null,
    checkedInBy: null,
    checkInCode: null,
    ticketCode: null,
    creditHoldId: null,
    relatedSince: null,
    digest: null,
    offerExpiresAt: null,
    createdAt: now,
    updatedAt: now,
  } satisfies Partial<Participation>);
}

/**
 * Returns the kind of the digest that will count the person after this trigger; null if no digest will. The digest
 * `joined` counts people who joined on their own, and people to whom the service gave a seat. It does not count people
 * whom the organizer promoted from the waitlist or whose request the organizer approved.
 */
function digestAfter(trigger: MovingTrigger, state: State): Digest | null {
  if (state === 'waitlisted') return 'waitlisted';
  const isCounted = trigger === 'join' || trigger === 'request' || trigger === 'pass_on';
  return state === 'confirmed' && isCounted ? 'joined' : null;
}
