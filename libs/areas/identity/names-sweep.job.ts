import { statement } from '#platform/database/database';
import { sweepJob } from '#platform/jobs/sweep-job';

/** The trigger `users_fold` writes the value. Accounts that another transaction is changing are left for the next run. */
const FOLD_NAMES = statement(
  'identity_fold_names',
  `UPDATE users SET folded = '' WHERE id IN (
     SELECT id FROM users WHERE folded IS NULL ORDER BY id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) RETURNING 1`,
);

/** Makes accounts searchable that are older than the search for people (PEO-4). Afterwards it finds no rows. */
export const NamesSweepJob = sweepJob({
  name: 'names-sweep',
  every: 'minute',
  size: 500,
  steps: [{ counts: 'folded', batch: (tx, { size }) => tx.rows(FOLD_NAMES, [size]) }],
});
