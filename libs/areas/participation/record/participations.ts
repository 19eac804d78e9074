import { Injectable } from '@nestjs/common';
import type { ParticipationState } from '#contract/vocabulary';
import type { Queryable, Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { CreditsCommands } from '../../credits/credits.commands';
import { countSeats } from '../../events/event-seats';
import { randomCode } from './codes';
import { DELETE, OF_USER_IN_EVENT, PUT, TAKE_SEAT, type ParticipationRow } from './participation.query';
import { refusalOf, targetOf, type State, type Trigger } from './participation.transitions';

/** Bits of a check-in code: nobody guesses one at the door. */
export const CHECK_IN_BITS = 80;

/** One user's relation to one event, as it is stored. */
export interface Participation {
  readonly eventId: number;
  readonly userId: number;
  readonly state: State;
  readonly checkedInAt: Date | null;
  readonly creditHoldId: number | null;
}

/** A seat that was taken. */
export interface Seat {
  readonly confirmedCount: number;
  readonly checkInCode: string;
}

const NOT_NULL_VIOLATION = '23502';

/** The rows behind participations; `confirmed_count` and held credits always move with them. */
@Injectable()
export class Participations {
  constructor(
    private readonly credits: CreditsCommands,
    private readonly clock: Clock,
  ) {}

  /**
   * Confirms somebody at an event of that revision, from `from` (none or pending), unless it is full: one statement, all or
   * nothing. Null when the event or the participation is no longer what was judged.
   */
  async takeSeat(on: Queryable, eventId: number, userId: number, judged: { revision: number; from: State }): Promise<Seat | null> {
    const checkInCode = randomCode(CHECK_IN_BITS);
    const from = judged.from === 'none' ? null : judged.from;
    try {
      const [seat] = await on.rows<{ confirmed_count: number }>(TAKE_SEAT, [
        eventId, userId, judged.revision, this.clock.now(), checkInCode, from,
      ]);
      return seat ? { confirmedCount: seat.confirmed_count, checkInCode } : null;
    } catch (error) {
      if ((error as { code?: unknown }).code === NOT_NULL_VIOLATION) return null;
      throw error;
    }
  }

  /** The relation as it is; the event is locked by the caller. */
  async of(tx: Transaction, eventId: number, userId: number): Promise<Participation> {
    const [row] = await tx.rows<ParticipationRow>(OF_USER_IN_EVENT, [eventId, userId]);
    if (!row) return { eventId, userId, state: 'none', checkedInAt: null, creditHoldId: null };
    return {
      eventId,
      userId,
      state: row.status as ParticipationState,
      checkedInAt: row.checked_in_at,
      creditHoldId: row.credit_hold_id === null ? null : Number(row.credit_hold_id),
    };
  }

  /** Throws the transition table's refusal where there is no such move. */
  refuseUnlessMoves(trigger: Trigger, { state }: Participation): void {
    const code = refusalOf(trigger, state);
    if (code !== null) throw new Refusal(code);
  }

  /**
   * Moves a participation by the transition table; the event is locked by the caller, and rules have been asked.
   * Leaving `confirmed` gives held credits back; released ones stay with the organizer.
   */
  async apply(tx: Transaction, trigger: Trigger, participation: Participation, ticketCode: string | null = null): Promise<Seat | null> {
    const { eventId, userId, state: from, creditHoldId } = participation;
    const to = targetOf(trigger, from);
    const checkInCode = to === 'confirmed' ? randomCode(CHECK_IN_BITS) : null;
    if (to === 'none') await tx.rows(DELETE, [eventId, userId]);
    else await tx.rows(PUT, [eventId, userId, to, this.clock.now(), checkInCode, ticketCode]);
    if (creditHoldId !== null) await this.credits.refund(tx, creditHoldId);
    if ((to === 'confirmed') === (from === 'confirmed')) return null;
    const counted = await countSeats(tx, eventId, to === 'confirmed' ? 1 : -1);
    return checkInCode === null || !counted ? null : { confirmedCount: counted.confirmedCount, checkInCode };
  }
}
