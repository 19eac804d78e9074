import { Column, Entity } from 'typeorm';
import type { ParticipationState } from '#contract/vocabulary';
import { Instant, KeyRef, Ref } from '#platform/database/columns';
import { Refusal } from '#platform/http/refusal';
import { newCheckInCode } from './codes';
import { refusalOf, targetOf, type MovingTrigger, type State, type Trigger } from './participation.transitions';

/** Bits of a check-in code: too many to guess at the door. */

/** A user's relation to an event. Without a relation there is no row, and `status` is null. */
@Entity('participations')
export class Participation {
  @KeyRef({ name: 'event_id' })
  eventId: number;

  @KeyRef({ name: 'user_id' })
  userId: number;

  @Column('text')
  status: ParticipationState | null;

  /** Of the last invitation. */
  @Instant({ name: 'invited_at', nullable: true })
  invitedAt: Date | null;

  /** Of the last request. */
  @Instant({ name: 'requested_at', nullable: true })
  requestedAt: Date | null;

  /** For confirmed participants only, like the next four. */
  @Instant({ name: 'joined_at', nullable: true })
  joinedAt: Date | null;

  @Instant({ name: 'checked_in_at', nullable: true })
  checkedInAt: Date | null;

  @Column('text', { name: 'check_in_code', nullable: true })
  checkInCode: string | null;

  /** The ticket they joined with. */
  @Column('text', { name: 'ticket_code', nullable: true })
  ticketCode: string | null;

  /** The payment, as a hold in credits. */
  @Ref({ name: 'credit_hold_id', nullable: true })
  creditHoldId: number | null;

  @Instant({ name: 'created_at', update: false })
  createdAt: Date;

  @Instant({ name: 'updated_at' })
  updatedAt: Date;

  /** The status, with `none` for no relation. */
  get state(): State {
    return this.status ?? 'none';
  }

  get isConfirmed(): boolean {
    return this.status === 'confirmed';
  }

  /** Throws the transition table's refusal if the trigger has no move from this state. */
  refuseUnlessMoves(trigger: Trigger): void {
    const code = refusalOf(trigger, this.state);
    if (code !== null) throw new Refusal(code);
  }

  /**
   * Applies the trigger by the transition table, or throws the table's refusal. A newly confirmed participant gets a
   * new check-in code.
   */
  apply(trigger: MovingTrigger, now: Date, ticketCode: string | null = null): void {
    this.refuseUnlessMoves(trigger);
    const state = targetOf(trigger, this.state);
    this.status = state === 'none' ? null : state;
    if (this.status === 'pending') this.invitedAt = now;
    if (this.status === 'requested') this.requestedAt = now;
    this.joinedAt = this.isConfirmed ? now : null;
    this.checkInCode = this.isConfirmed ? newCheckInCode() : null;
    this.ticketCode = this.isConfirmed ? ticketCode : null;
    this.checkedInAt = null;
    this.creditHoldId = null;
    this.updatedAt = now;
  }
}

/** A person without a relation to the event. */
export function strangerTo(eventId: number, userId: number, now: Date): Participation {
  return Object.assign(new Participation(), {
    eventId,
    userId,
    status: null,
    invitedAt: null,
    requestedAt: null,
    joinedAt: null,
    checkedInAt: null,
    checkInCode: null,
    ticketCode: null,
    creditHoldId: null,
    createdAt: now,
    updatedAt: now,
  } satisfies Partial<Participation>);
}
