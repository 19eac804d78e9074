import { statement } from '#platform/database/database';
import { sweepJob } from '#platform/jobs/sweep-job';

/**
 * The update fires the trigger `users_fold`, which computes `folded`. Accounts that another transaction is changing are
 * skipped until the next run.
 */
const FOLD_NAMES = statement(
  'identity_fold_names',
  `UPDATE users SET folded = '' WHERE id IN (
     SELECT id FROM users WHERE folded IS NULL ORDER BY id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) RETURNING 1`,
);

/** Rewrites the search rows of accounts whose rows have the format of former releases. */
const REWRITE_WORDS = statement('identity_rewrite_words', 'SELECT people_words_rewrite($1)');

/**
 * Makes accounts searchable whose search rows are missing or have the format of a former release (PEO-4). Later runs
 * find no such accounts.
 */
export const NamesSweepJob = sweepJob({
  name: 'names-sweep',
  every: 'minute',
  size: 500,
  steps: [
    { counts: 'folded', batch: (tx, { size }) => tx.rows(FOLD_NAMES, [size]) },
    { counts: 'rewritten', batch: (tx, { size }) => tx.rows(REWRITE_WORDS, [size]) },
  ],
});
