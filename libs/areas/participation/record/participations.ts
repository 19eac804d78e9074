import { Injectable } from '@nestjs/common';
import type { Queryable, Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { CreditsCommands } from '../../credits/credits.commands';
import { countSeats } from '../../events/event-seats';
import { newCheckInCode } from './codes';
import { Participation, strangerTo } from './participation.entity';
import { TAKE_SEAT } from './participation.query';
import type { MovingTrigger, State } from './participation.transitions';

/** What taking a seat changed of the event as its viewer sees it: columns of `ViewerEventRow`. */
export interface Seat {
  readonly participation: 'confirmed';
  readonly confirmed_count: number;
  readonly check_in_code: string;
}

/** What a join was judged by. */
interface Judged {
  readonly revision: number;
  readonly from: State;
}

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
  async takeSeat(on: Queryable, eventId: number, userId: number, { revision, from }: Judged): Promise<Seat | null> {
    const checkInCode = newCheckInCode();
    const values = [eventId, userId, revision, this.clock.now(), checkInCode, from === 'none' ? null : from];
    const [taken] = await on.rows<{ confirmed_count: number }>(TAKE_SEAT, values).catch((error: unknown) => {
      if (isRefusedStatus(error)) return [];
      throw error;
    });
    return taken ? seat(taken.confirmed_count, checkInCode) : null;
  }

  /** The relation as it is, be it none; the event is locked by the caller. */
  async load(tx: Transaction, eventId: number, userId: number): Promise<Participation> {
    const stored = await tx.manager.findOneBy(Participation, { eventId, userId });
    return stored ?? strangerTo(eventId, userId, this.clock.now());
  }

  /**
   * Applies the trigger to a participation and stores what became of it; throws the transition table's refusal. The event is
   * locked by the caller, and rules have been asked. Leaving `confirmed` gives held credits back; released ones stay with the
   * organizer. Returns the seat, if one was taken.
   */
  async move(
    tx: Transaction,
    trigger: MovingTrigger,
    participation: Participation,
    ticketCode: string | null = null,
  ): Promise<Seat | null> {
    const { eventId, userId, status, isConfirmed: wasConfirmed, creditHoldId } = participation;
    participation.apply(trigger, this.clock.now(), ticketCode);
    if (participation.status === null) await tx.manager.delete(Participation, { eventId, userId });
    else if (status === null) await tx.manager.insert(Participation, participation);
    else await this.update(tx, participation);

    if (creditHoldId !== null) await this.credits.refund(tx, creditHoldId);
    if (participation.isConfirmed === wasConfirmed) return null;
    const counted = await countSeats(tx, eventId, participation.isConfirmed ? 1 : -1);
    if (participation.checkInCode === null || !counted) return null;
    return seat(counted.confirmedCount, participation.checkInCode);
  }

  /** Stores a participation that has a row. */
  async update(tx: Transaction, { eventId, userId, ...columns }: Participation): Promise<void> {
    await tx.manager.update(Participation, { eventId, userId }, columns);
  }
}

const NOT_NULL_VIOLATION = '23502';

/** TAKE_SEAT's own refusal: the status it makes NULL where the participation is not in the state that was judged. */
function isRefusedStatus(error: unknown): boolean {
  const { code, table, column } = error as { code?: unknown; table?: unknown; column?: unknown };
  return code === NOT_NULL_VIOLATION && table === 'participations' && column === 'status';
}

function seat(confirmedCount: number, checkInCode: string): Seat {
  return { participation: 'confirmed', confirmed_count: confirmedCount, check_in_code: checkInCode };
}
