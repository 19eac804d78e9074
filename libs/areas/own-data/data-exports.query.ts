import { statement } from '#platform/database/database';

/** The state of a user's export. */
export interface ExportRow {
  readonly id: string;
  readonly status: 'pending' | 'ready' | 'failed';
  readonly file: string;
  readonly done: number;
  readonly total: number;
  readonly bytes: string | null;
  readonly asked_at: Date;
  readonly expires_at: Date | null;
}

/**
 * Separates the finished or failed export of user $1 from the user: `user_id` becomes null, and the job `data-exports`
 * later deletes the row and the file. A pending export is not changed.
 */
export const RELEASE_EXPORT = statement(
  'own_data_release_export',
  "UPDATE data_exports SET user_id = NULL WHERE user_id = $1 AND status <> 'pending'",
);
/**
 * Requests an export of user $1. $2 name of the file, $3 now. No effect if the user already has an export.
 */
export const REQUEST_EXPORT = statement(
  'own_data_request_export',
  "INSERT INTO data_exports (user_id, status, file, asked_at) VALUES ($1, 'pending', $2, $3) ON CONFLICT (user_id) DO NOTHING",
);

/** The export of user $1, unless it has expired at $2. */
export const EXPORT_OF = statement(
  'own_data_export_of',
  'SELECT id, status, file, done, total, bytes, asked_at, expires_at FROM data_exports WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > $2)',
);

/** The first pending export with an id greater than $1. Exports of deleted accounts are omitted. */
export const NEXT_PENDING_EXPORT = statement(
  'own_data_next_pending_export',
  `SELECT id, user_id, file FROM data_exports WHERE status = 'pending' AND user_id IS NOT NULL AND id > $1 ORDER BY id LIMIT 1`,
);
export const STORE_PROGRESS = statement(
  'own_data_store_progress',
  'UPDATE data_exports SET done = $2, total = $3 WHERE id = $1',
);
/**
 * Ends export $1 if this export is pending. $2 is the size in bytes, or null if the export failed. $3 is the time when
 * the export expires.
 */
export const END_EXPORT = statement(
  'own_data_end_export',
  `UPDATE data_exports SET status = CASE WHEN $2::bigint IS NULL THEN 'failed' ELSE 'ready' END, bytes = $2, expires_at = $3 WHERE id = $1 AND status = 'pending'`,
);

/**
 * At most $2 exports that have expired at $1 or have no user (after RELEASE_EXPORT, or after the account was deleted).
 */
export const OLD_EXPORTS = statement(
  'own_data_old_exports',
  'SELECT id, file FROM data_exports WHERE user_id IS NULL OR expires_at <= $1 ORDER BY id LIMIT $2',
);
export const FORGET_EXPORT = statement('own_data_forget_export', 'DELETE FROM data_exports WHERE id = $1');
