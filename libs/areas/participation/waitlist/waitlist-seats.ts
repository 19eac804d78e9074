import { Injectable } from '@nestjs/common';
import { addHours } from 'date-fns/addHours';
import { min } from 'date-fns/min';
import { startOfSecond } from 'date-fns/startOfSecond';
import { In } from 'typeorm';
import type { WaitlistMode } from '#contract/vocabulary';
import { Database, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { lockEventForChange } from '../../events/event-locks';
import { givesSeatsToWaitlist, type EventFacts, type WaitlistFacts } from '../../events/event-relation';
import type { Event } from '../../events/event.entity';
import { changeSeatCounts, seatsOf } from '../../events/event-seats';
import { NotificationsCommands } from '../../notifications/notifications.commands';
import { StatisticsCommands } from '../../statistics/statistics.commands';
import { Participation } from '../record/participation.entity';
import type { SeatTrigger } from '../record/participation.transitions';
import {
  SHORTEN_OFFERS,
  END_ENTRIES,
  SET_AUTHOR,
  NEXT_IN_LINE,
  OFFERS_OF_EVENT,
  SEATS_TO_SETTLE,
  STORE_MOVED,
} from './waitlist.query';

/** The columns of SEATS_TO_SETTLE. */
interface EventSeats extends WaitlistFacts, Pick<EventFacts, 'confirmed_count' | 'offers_count'> {
  readonly id: string;
  readonly starts_at: Date;
  readonly offer_hours: number;
}

/** The user ids of the people whose participation changes, for each kind of change. */
interface SeatMoves extends Record<SeatTrigger, number[]> {
  /** People whose offers would end after the event's start. Their offers then end at the start. */
  readonly shorten: number[];
}

/**
 * Gives free seats to the waitlist (JOIN-54 to JOIN-59). Code that frees a seat calls `settle` in its transaction. Code
 * that depends on the number of free seats calls `settle` or `settleAlone` first. The job `offers-sweep` calls
 * `settleAlone` for changes caused by time and by other areas.
 */
@Injectable()
export class WaitlistSeats {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationsCommands,
    private readonly statistics: StatisticsCommands,
    private readonly clock: Clock,
  ) {}

  /** Like `settle` for one event, but this method itself opens the transaction and locks the event. */
  async settleAlone(eventId: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      await lockEventForChange(tx, eventId);
      return this.settle(tx, [eventId]);
    });
  }

  /**
   * Ends offers that have expired or cannot be accepted, and shortens offers that would end after the start of the
   * event. If the event has no limit of seats, people with offers get seats. Then, if the event has not started and
   * `givesSeatsToWaitlist` is true, gives or offers each free seat (depending on `waitlist_mode`) to the first person
   * on the waitlist who can join. The calling code has locked the events. A second call directly after the first one
   * changes nothing. Returns the number of people whose participation changed.
   */
  async settle(tx: Transaction, eventIds: readonly number[]): Promise<number> {
    if (eventIds.length === 0) return 0;
    const now = this.clock.now();
    let moved = 0;
    for (const event of await tx.rows<EventSeats>(SEATS_TO_SETTLE, [eventIds])) {
      const moves = await this.movesOf(tx, event, now);
      const count = Object.values(moves).flat().length;
      if (count > 0) await this.store(tx, event, moves, now);
      moved += count;
    }
    return moved;
  }

  /**
   * Like `settle`, for an event that the calling code has loaded and locked. Afterwards, `event` contains the current
   * counts of seats.
   */
  async settleFor(tx: Transaction, event: Event): Promise<void> {
    if (event.waitlistMode === 'manual' && event.offersCount === 0) return;
    if ((await this.settle(tx, [event.id])) > 0) Object.assign(event, (await seatsOf(tx, [event.id])).get(event.id));
  }

  /**
   * Before a change of the event is stored, ends the offers that have expired or that the changed event no longer
   * allows, and shortens the offers that would end after the new start. Gives no seats to the waitlist. `event` is
   * locked and contains the changes. `cancels`: the event will also be cancelled.
   */
  async endOffers(tx: Transaction, event: Event, cancels: boolean): Promise<void> {
    const now = this.clock.now();
    const changed: EventSeats = {
      id: String(event.id),
      status: cancels ? 'cancelled' : event.status,
      starts_at: event.startsAt,
      join_mode: event.joinMode,
      ticket_price_credits: event.ticketPriceCredits,
      waitlist_mode: event.waitlistMode,
      offer_hours: event.offerHours,
      max_participants: event.maxParticipants,
      confirmed_count: event.confirmedCount,
      offers_count: event.offersCount,
    };
    const { moves } = await this.endingsOf(tx, changed, now, {
      starts_at: event.startsAt,
      age_min: event.ageMin,
      age_max: event.ageMax,
      gender_restriction: event.genderRestriction,
    });
    await this.store(tx, changed, moves, now);
  }

  private async movesOf(tx: Transaction, event: EventSeats, now: Date): Promise<SeatMoves> {
    const { starts_at: start, max_participants: seats } = event;
    const { moves, offeredSeats } = await this.endingsOf(tx, event, now);
    const free = seats === null ? null : seats - 1 - event.confirmed_count - offeredSeats;
    if (!givesSeatsToWaitlist(event) || now >= start || (free !== null && free <= 0)) return moves;
    const next = await tx.rows<{ user_id: string }>(NEXT_IN_LINE, [event.id, free]);
    // If the number of seats is not limited, people get seats immediately instead of offers.
    const mode: WaitlistMode = seats === null ? 'auto' : event.waitlist_mode;
    moves[mode === 'offer' ? 'offer' : 'pass_on'].push(...next.map(({ user_id }) => Number(user_id)));
    return moves;
  }

  /**
   * The stored offers that end, become shorter or are replaced by seats, and the number of offers that remain.
   * `changes`: the columns of `event` that are not yet stored.
   */
  private async endingsOf(
    tx: Transaction,
    event: EventSeats,
    now: Date,
    changes: object = {},
  ): Promise<{ moves: SeatMoves; offeredSeats: number }> {
    const { starts_at: start, max_participants: seats } = event;
    const moves: SeatMoves = { offer: [], pass_on: [], lapse: [], withdraw: [], shorten: [] };
    const givesSeats = givesSeatsToWaitlist(event);
    let offeredSeats = 0;
    for (const offer of await this.offersOf(tx, event, changes)) {
      const person = Number(offer.user_id);
      const until = offer.offer_expires_at < start ? offer.offer_expires_at : start;
      if (!givesSeats) moves.withdraw.push(person);
      else if (until <= now) moves.lapse.push(person);
      else if (!offer.may_join) moves.withdraw.push(person);
      else if (seats === null) moves.pass_on.push(person);
      else {
        offeredSeats += 1;
        if (until < offer.offer_expires_at) moves.shorten.push(person);
      }
    }
    return { moves, offeredSeats };
  }

  private async offersOf(
    tx: Transaction,
    { id, offers_count }: EventSeats,
    changes: object,
  ): Promise<{ user_id: string; offer_expires_at: Date; may_join: boolean }[]> {
    return offers_count > 0 ? tx.rows(OFFERS_OF_EVENT, [id, JSON.stringify(changes)]) : [];
  }

  /** Stores the changes. The entries in the feed of changes have no author, because the service gives the seats. */
  private async store(tx: Transaction, event: EventSeats, moves: SeatMoves, now: Date): Promise<void> {
    const eventId = Number(event.id);
    const [author] = await tx.rows<{ former: string }>(SET_AUTHOR, ['']);
    if (moves.shorten.length > 0) await tx.rows(SHORTEN_OFFERS, [eventId, moves.shorten, event.starts_at]);
    // Offers end at whole seconds, because responses show times in whole seconds.
    const until = min([addHours(startOfSecond(now), event.offer_hours), event.starts_at]);
    const { confirmed, offers } = await this.move(tx, eventId, moves, until, now);
    if (confirmed !== 0 || offers !== 0) await changeSeatCounts(tx, eventId, { confirmed, offers });
    await tx.rows(SET_AUTHOR, [author?.former ?? '']);
    await this.statistics.countOffers(tx, eventId, 'made', moves.offer.length);
    await this.statistics.countOffers(tx, eventId, 'lapsed', moves.lapse.length);
    await this.notifications.notify(tx, 'offer_lapsed', { eventId, userIds: moves.lapse });
    await this.notifications.notify(tx, 'promotion', { eventId, userIds: moves.pass_on });
    await this.notifications.notify(tx, 'seat_offered', {
      eventId,
      userIds: moves.offer,
      words: { until: until.toISOString() },
    });
  }

  /**
   * Moves the people according to the transition table, in at most three statements. Returns the changes to the event's
   * counts.
   */
  private async move(
    tx: Transaction,
    eventId: number,
    { shorten: _shorten, ...moves }: SeatMoves,
    until: Date,
    now: Date,
  ): Promise<{ confirmed: number; offers: number }> {
    const triggers = new Map(
      Object.entries(moves).flatMap(([trigger, people]) => people.map((id) => [id, trigger as SeatTrigger] as const)),
    );
    if (triggers.size === 0) return { confirmed: 0, offers: 0 };
    const rows = await tx.manager.find(Participation, { where: { eventId, userId: In([...triggers.keys()]) } });
    let [confirmed, offers] = [0, 0];
    for (const participation of rows) {
      const wasOffered = participation.state === 'offered';
      participation.apply(triggers.get(participation.userId) ?? 'withdraw', now, { offerExpiresAt: until });
      confirmed += Number(participation.isConfirmed);
      offers += Number(participation.state === 'offered') - Number(wasOffered);
    }
    if (moves.lapse.length > 0) await tx.rows(END_ENTRIES, [eventId, moves.lapse]);
    const stored = rows.filter(({ status }) => status !== null).map(columnsOf);
    if (stored.length > 0) await tx.rows(STORE_MOVED, [eventId, JSON.stringify(stored)]);
    return { confirmed, offers };
  }
}

function columnsOf(participation: Participation): object {
  return {
    user_id: participation.userId,
    status: participation.status,
    joined_at: participation.joinedAt,
    check_in_code: participation.checkInCode,
    digest: participation.digest,
    offer_expires_at: participation.offerExpiresAt,
    updated_at: participation.updatedAt,
  };
}
