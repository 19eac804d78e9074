import { HAS_ROOM_SQL } from './event-relation';
import { statement, type Transaction } from '#platform/database/database';

/**
 * SQL that takes one seat of the event `event`, as the first part of the caller's statement; returns `confirmed_count`.
 * No row: the event is full (the organizer has a seat too), or its revision is no longer `revision`. Event and revision
 * are placeholders.
 */
export function takeSeatOf(event: string, revision: string): string {
  return `UPDATE events SET confirmed_count = confirmed_count + 1
      WHERE id = ${event} AND revision = ${revision} AND ${HAS_ROOM_SQL}
     RETURNING confirmed_count`;
}

const ADD_TO_CONFIRMED_COUNT = statement(
  'events_count_seats',
  'UPDATE events SET confirmed_count = confirmed_count + $2 WHERE id = $1 RETURNING confirmed_count, organizer_id',
);

/**
 * Adds `change` (may be negative) to the count of confirmed participants. The caller has locked the event. Null for an
 * event that does not exist.
 */
export async function countSeats(
  tx: Transaction,
  eventId: number,
  change: number,
): Promise<{ confirmedCount: number; organizerId: number } | null> {
  const [row] = await tx.rows<{ confirmed_count: number; organizer_id: string }>(ADD_TO_CONFIRMED_COUNT, [
    eventId,
    change,
  ]);
  return row ? { confirmedCount: row.confirmed_count, organizerId: Number(row.organizer_id) } : null;
}
