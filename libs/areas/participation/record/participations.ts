import { Injectable } from '@nestjs/common';
import type { Queryable, Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { CreditsCommands } from '../../credits/credits.commands';
import { changeSeatCounts } from '../../events/event-seats';
import { StatisticsCommands } from '../../statistics/statistics.commands';
import { WaitlistSeats } from '../waitlist/waitlist-seats';
import { newCheckInCode } from '../codes';
import { Participation, unrelatedParticipation } from './participation.entity';
import { TAKE_SEAT } from './participation.query';
import type { MovingTrigger, State } from './participation.transitions';

/** The columns of `ViewerEventRow` whose values change when the viewer takes a seat. */
export interface Seat {
  readonly participation: 'confirmed';
  readonly confirmed_count: number;
  readonly check_in_code: string;
}

/** The event's revision and the person's state at the time when the rules for joining were checked. */
interface CheckedState {
  readonly revision: number;
  readonly from: State;
}

/** Writes participations, changes the event's counts of seats accordingly, and refunds held credits. */
@Injectable()
export class Participations {
  constructor(
    private readonly credits: CreditsCommands,
    private readonly seats: WaitlistSeats,
    private readonly statistics: StatisticsCommands,
    private readonly clock: Clock,
  ) {}

  /**
   * In one atomic statement, confirms a person whose state is `from` (none or pending). Returns null if the event is
   * full, or if the event or the participation has changed since the rules were checked.
   */
  async takeSeat(
    database: Queryable,
    eventId: number,
    userId: number,
    { revision, from }: CheckedState,
  ): Promise<Seat | null> {
    const checkInCode = newCheckInCode();
    const values = [eventId, userId, revision, this.clock.now(), checkInCode, from === 'none' ? null : from];
    const [taken] = await database.rows<{ confirmed_count: number }>(TAKE_SEAT, values).catch((error: unknown) => {
      if (isRefusedStatus(error)) return [];
      throw error;
    });
    return taken ? seat(taken.confirmed_count, checkInCode) : null;
  }

  /**
   * The current participation. If there is no row, returns a new object whose status is null. The calling code has
   * locked the event.
   */
  async load(tx: Transaction, eventId: number, userId: number): Promise<Participation> {
    const stored = await tx.manager.findOneBy(Participation, { eventId, userId });
    return stored ?? unrelatedParticipation(eventId, userId, this.clock.now());
  }

  /**
   * Applies the trigger to a participation and stores the result, or throws the refusal of the transition table. The
   * calling code has locked the event and checked the rules. If the person is no longer confirmed, held credits are
   * refunded. Credits that were already paid to the organizer are not refunded. If a seat becomes free and the waitlist
   * mode is not `manual`, this method calls `WaitlistSeats.settle`. An offer that the person accepts or declines is
   * counted in the statistics. Returns the person's seat if the person is now confirmed, otherwise null.
   */
  async move(
    tx: Transaction,
    trigger: MovingTrigger,
    participation: Participation,
    ticketCode: string | null = null,
  ): Promise<Seat | null> {
    const { eventId, userId, status, state, isConfirmed: wasConfirmed, creditHoldId } = participation;
    participation.apply(trigger, this.clock.now(), { ticketCode });
    if (participation.status === null) await tx.manager.delete(Participation, { eventId, userId });
    else if (status === null) await tx.manager.insert(Participation, participation);
    else await this.update(tx, participation);

    if (creditHoldId !== null) await this.credits.refund(tx, creditHoldId);
    const confirmedChange = Number(participation.isConfirmed) - Number(wasConfirmed);
    const offersChange = state === 'offered' ? -1 : 0;
    if (state === 'offered' && trigger === 'join') await this.statistics.countOffers(tx, eventId, 'accepted');
    if (state === 'offered' && trigger === 'leave') await this.statistics.countOffers(tx, eventId, 'declined');
    if (confirmedChange === 0 && offersChange === 0) return null;
    const counted = await changeSeatCounts(tx, eventId, { confirmed: confirmedChange, offers: offersChange });
    const isSeatFreed = confirmedChange + offersChange < 0;
    if (isSeatFreed && counted && counted.waitlistMode !== 'manual') await this.seats.settle(tx, [eventId]);
    if (participation.checkInCode === null || !counted) return null;
    return seat(counted.confirmedCount, participation.checkInCode);
  }

  /** Stores a participation that already has a row. */
  async update(tx: Transaction, { eventId, userId, ...columns }: Participation): Promise<void> {
    await tx.manager.update(Participation, { eventId, userId }, columns);
  }
}

const NOT_NULL_VIOLATION = '23502';

/**
 * Whether TAKE_SEAT failed because the stored status is not the status that was checked. In this case TAKE_SEAT sets
 * the status to NULL, which the column does not allow.
 */
function isRefusedStatus(error: unknown): boolean {
  const { code, table, column } = error as { code?: unknown; table?: unknown; column?: unknown };
  return code === NOT_NULL_VIOLATION && table === 'participations' && column === 'status';
}

function seat(confirmedCount: number, checkInCode: string): Seat {
  return { participation: 'confirmed', confirmed_count: confirmedCount, check_in_code: checkInCode };
}
