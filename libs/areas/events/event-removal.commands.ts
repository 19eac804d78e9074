import { statement, type Transaction } from '#platform/database/database';
import { Removal } from '#platform/database/removal';

/** Removes events from view, restores them, and later deletes the rows of removed events (docs/rules/moderation.md). */
export const EVENT_REMOVAL = new Removal('all_events', 'SELECT key FROM event_images WHERE event_id = $1');

const OCCURRENCES = statement(
  'events_all_of_series',
  'SELECT id FROM all_events WHERE series_id = $1 ORDER BY id FOR UPDATE',
);

/** Locks all occurrences of a series, including the removed ones, and returns their ids. */
export async function lockAllOccurrences(tx: Transaction, seriesId: number): Promise<number[]> {
  const rows = await tx.rows<{ id: string }>(OCCURRENCES, [seriesId]);
  return rows.map(({ id }) => Number(id));
}
