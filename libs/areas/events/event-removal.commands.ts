import { statement, type Transaction } from '#platform/database/database';
import { Removal } from '#platform/database/removal';

/** How a moderator takes one out of sight and puts it back (docs/rules/moderation.md). */
export const EVENT_REMOVAL = new Removal('all_events', 'SELECT key FROM event_images WHERE event_id = $1');

const OCCURRENCES = statement(
  'events_all_of_series',
  'SELECT id FROM all_events WHERE series_id = $1 ORDER BY id FOR UPDATE',
);

/** All occurrences of a series, in sight or not; locked. */
export async function lockAllOccurrences(tx: Transaction, seriesId: number): Promise<number[]> {
  const rows = await tx.rows<{ id: string }>(OCCURRENCES, [seriesId]);
  return rows.map(({ id }) => Number(id));
}
