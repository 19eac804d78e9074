import { statement, type Transaction } from '#platform/database/database';
import { Removal } from '#platform/database/removal';

/** Removes events from view, restores them, and later deletes the rows of removed events (docs/rules/moderation.md). */
export const EVENT_REMOVAL = new Removal('all_events', 'SELECT key FROM event_images WHERE event_id = $1');

const LOCK_ALL_OCCURRENCES = statement(
  'events_lock_all_occurrences',
  'SELECT id FROM all_events WHERE series_id = $1 ORDER BY id FOR UPDATE',
);

/** Locks all occurrences of a series, including the removed ones, and returns their ids. */
export async function lockAllOccurrences(tx: Transaction, seriesId: number): Promise<number[]> {
  const rows = await tx.rows<{ id: string }>(LOCK_ALL_OCCURRENCES, [seriesId]);
  return rows.map(({ id }) => Number(id));
}
