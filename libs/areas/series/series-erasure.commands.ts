import { statement, type Transaction } from '#platform/database/database';

const LOCK_SERIES_OF = statement(
  'series_lock_of',
  'SELECT id FROM all_series WHERE organizer_id = $1 ORDER BY id FOR UPDATE',
);
const REMOVED_SERIES_OF = statement(
  'series_removed_of',
  'SELECT id, removed_at FROM all_series WHERE organizer_id = $1 AND removed_at IS NOT NULL ORDER BY id',
);
const DELETE_SERIES_OF = statement('series_delete_of', 'DELETE FROM all_series WHERE organizer_id = $1 RETURNING id');

/**
 * Locks the user's series, so that no occurrences are created until the transaction ends. The calling code must not
 * have locked events before, because series are locked before events.
 */
export async function lockSeriesOf(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(LOCK_SERIES_OF, [userId]);
}

/** The user's series that moderators have removed. */
export async function removedSeriesOf(tx: Transaction, userId: number): Promise<{ id: number; removedAt: Date }[]> {
  const rows = await tx.rows<{ id: string; removed_at: Date }>(REMOVED_SERIES_OF, [userId]);
  return rows.map(({ id, removed_at }) => ({ id: Number(id), removedAt: removed_at }));
}

/**
 * Deletes the user's series and returns their ids. The calling code has already deleted each event of these series, or
 * separated it from its series.
 */
export async function deleteSeriesOf(tx: Transaction, userId: number): Promise<number[]> {
  return (await tx.rows<{ id: string }>(DELETE_SERIES_OF, [userId])).map(({ id }) => Number(id));
}
