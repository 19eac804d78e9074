import { statement } from '#platform/database/database';
import { sweepJob } from '#platform/jobs/sweep-job';

/**
 * Computes missing values of `folded`: name, nickname and slug in lower case, without diacritics. The update fires the
 * trigger `users_fold`, which computes the value. Accounts that another transaction has locked are left to a later run.
 */
const FOLD_NAMES = statement(
  'identity_fold_names',
  `UPDATE users SET folded = '' WHERE id IN (
     SELECT id FROM users WHERE folded IS NULL ORDER BY id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) RETURNING 1`,
);

/** Rewrites the rows of `people_words` (the search index of people) that have the format of a former release. */
const REWRITE_WORDS = statement('identity_rewrite_words', 'SELECT people_words_rewrite($1)');

/**
 * Completes accounts without `folded`, and accounts whose rows in `people_words` are missing or have the format of a
 * former release, so that a search finds these accounts (PEO-4). When all such accounts are processed, later runs
 * change nothing.
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
