import type { WaitlistMode } from '#contract/vocabulary';
import { statement, type Transaction } from '#platform/database/database';
import { hasRoomSql } from './event-relation';

/**
 * SQL that takes one seat of an event and returns `confirmed_count`; the calling code embeds it in a longer statement.
 * It returns no row if the event is full (each confirmed participant, the organizer and each offer occupy a seat), or
 * if the event's revision is no longer `revision`. `event` and `revision` are placeholders.
 */
export function takeSeatOf(event: string, revision: string): string {
  return `UPDATE events SET confirmed_count = confirmed_count + 1
      WHERE id = ${event} AND revision = ${revision} AND ${hasRoomSql('events')}
     RETURNING confirmed_count`;
}

const CHANGE_SEAT_COUNTS = statement(
  'events_change_seat_counts',
  `UPDATE events SET confirmed_count = confirmed_count + $2, offers_count = offers_count + $3 WHERE id = $1
   RETURNING confirmed_count, organizer_id, waitlist_mode`,
);

const RESET_OFFERS_COUNT = statement(
  'events_reset_offers_count',
  'UPDATE all_events SET offers_count = 0 WHERE id = ANY($1::bigint[]) AND offers_count > 0',
);

const SEATS_OF = statement(
  'events_seats_of',
  'SELECT id, confirmed_count, offers_count FROM events WHERE id = ANY($1::bigint[])',
);

/** Changes to an event's count of confirmed participants and to its count of offers. */
export interface SeatChange {
  readonly confirmed: number;
  readonly offers: number;
}

/** The state of the event after the counts have changed. */
export interface CountedSeats {
  readonly confirmedCount: number;
  readonly organizerId: number;
  readonly waitlistMode: WaitlistMode;
}

/**
 * Adds these changes to the event's counts of confirmed participants and of offers. The calling code has locked the
 * event. Returns null if the view `events` does not contain the event.
 */
export async function changeSeatCounts(
  tx: Transaction,
  eventId: number,
  { confirmed, offers }: SeatChange,
): Promise<CountedSeats | null> {
  const [row] = await tx.rows<{ confirmed_count: number; organizer_id: string; waitlist_mode: WaitlistMode }>(
    CHANGE_SEAT_COUNTS,
    [eventId, confirmed, offers],
  );
  if (!row) return null;
  return {
    confirmedCount: row.confirmed_count,
    organizerId: Number(row.organizer_id),
    waitlistMode: row.waitlist_mode,
  };
}

/** Sets the events' counts of offers to 0. The calling code has locked the events and ended all their offers. */
export async function resetOffersCount(tx: Transaction, eventIds: readonly number[]): Promise<void> {
  await tx.rows(RESET_OFFERS_COUNT, [eventIds]);
}

/** The seat counts of locked events, by event id. Events that the view `events` does not contain are omitted. */
export async function seatsOf(
  tx: Transaction,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly confirmedCount: number; readonly offersCount: number }>> {
  const rows = await tx.rows<{ id: string; confirmed_count: number; offers_count: number }>(SEATS_OF, [eventIds]);
  return new Map(
    rows.map((row) => [Number(row.id), { confirmedCount: row.confirmed_count, offersCount: row.offers_count }]),
  );
}
