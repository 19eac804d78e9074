import { statement } from '../database/database';

/** Parameters: key, kind, bytes, now. The row is inserted before its files are written. */
export const ADD_PENDING_FILE = statement(
  'media_files_add',
  `INSERT INTO media_files (key, kind, bytes, created_at) VALUES ($1, $2, $3, $4)`,
);

/** Parameter: keys. Marks pending rows as kept and returns their keys. */
export const KEEP_FILES = statement(
  'media_files_keep',
  `UPDATE media_files SET state = 'kept' WHERE key = ANY($1) AND state = 'pending' RETURNING key`,
);

/** Parameters: keys, now. */
export const MARK_FILES_FOR_DELETION = statement(
  'media_files_mark_for_deletion',
  `UPDATE media_files SET state = 'doomed', doomed_at = $2 WHERE key = ANY($1) AND state <> 'doomed'`,
);

/**
 * Parameters: keys, now. Changes only rows that are still pending. If the response to a commit is lost, the caller
 * assumes a failure, but the commit may have marked the rows as kept. These rows must not change.
 */
export const MARK_PENDING_FILES_FOR_DELETION = statement(
  'media_files_mark_pending_for_deletion',
  `UPDATE media_files SET state = 'doomed', doomed_at = $2 WHERE key = ANY($1) AND state = 'pending'`,
);

/**
 * Parameters: a time, now, limit. A row that was inserted before this time and is still pending counts as abandoned,
 * and is marked for deletion. Rows that another transaction is marking as kept are skipped.
 */
export const MARK_ABANDONED_FILES_FOR_DELETION = statement(
  'media_files_mark_abandoned_for_deletion',
  `UPDATE media_files SET state = 'doomed', doomed_at = $2
   WHERE key IN (
     SELECT key FROM media_files WHERE state = 'pending' AND created_at < $1
     ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED
   )
   RETURNING key`,
);

/** Parameters: the last key of the previous batch, limit. Returns the keys of rows that are marked for deletion. */
export const FILES_TO_DELETE = statement(
  'media_files_to_delete',
  `SELECT key FROM media_files WHERE state = 'doomed' AND key > $1 ORDER BY key LIMIT $2`,
);

/**
 * Parameter: key. Deletes the row if it is marked for deletion. This statement runs before the files are deleted. It
 * fails while a row of another table refers to the key, so no row refers to a deleted file.
 */
export const FORGET_FILE = statement(
  'media_files_forget',
  `DELETE FROM media_files WHERE key = $1 AND state = 'doomed' RETURNING key`,
);

/** Parameter: keys. Returns the keys that have a row. */
export const KNOWN_FILES = statement('media_files_known', `SELECT key FROM media_files WHERE key = ANY($1)`);

/**
 * Parameter: key. Returns whether the file belongs only to removed or hidden content. The area `moderation` defines the
 * function.
 */
export const IS_OUT_OF_SIGHT = statement('media_files_out_of_sight', 'SELECT media_out_of_sight($1) AS hidden');

/** Parameter: keys. Returns the keys of the kept files that are served. */
export const SERVED_FILES = statement(
  'media_files_served',
  `SELECT key FROM media_files WHERE key = ANY($1) AND state = 'kept' AND NOT media_out_of_sight(key)`,
);
