import { statement, type Statement, type Transaction } from '#platform/database/database';
import { sweepJob } from '#platform/jobs/sweep-job';

/** Maximum number of rows per transaction. */
const BATCH = 500;
/**
 * A transaction counts the words of texts with about this many characters in total. Counting the words and grams of
 * 4,000 random characters takes up to 100 ms, so 50,000 characters take up to about 1.3 seconds. A statement may take 5
 * seconds.
 */
const TEXT_CHARACTERS = 50_000;

/**
 * Deletes the rows of ended events from `live_events`. Rows that another transaction is changing are deleted in a later
 * run.
 */
const DELETE_ENDED = statement(
  'discover_delete_ended',
  `DELETE FROM live_events WHERE id IN (SELECT id FROM live_events WHERE over_at <= $1 ORDER BY over_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`,
);
/**
 * Clears boosts an hour after their end. During this hour, a client that reads the list by cursor still gets the order
 * of its first page, in which the boosted events come first (DISC-20).
 */
const CLEAR_BOOSTS = statement(
  'discover_clear_boosts',
  `UPDATE live_events SET boosted_until = NULL WHERE id IN (
     SELECT id FROM live_events WHERE boosted_until <= $1::timestamptz - interval '1 hour' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`,
);
/**
 * Deletes changes that are older than ten minutes. `more`: a further condition, followed by AND. The age is measured
 * with the clock of the database, which also recorded the times of the changes. Discover updates its totals only with
 * changes of the last minute.
 */
const deleteOld = (name: string, table: string, more = ''): Statement =>
  statement(
    name,
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM ${table} WHERE ${more}noted_at < now() - interval '10 minutes' LIMIT ${BATCH})) RETURNING 1`,
  );
const DELETE_OLD_CHANGES = deleteOld('discover_delete_old_changes', 'live_event_changes', 'counted_in AND ');
const DELETE_OLD_HIDDEN = deleteOld('discover_delete_old_hidden', 'hidden_from_changes');

/**
 * For each word and each gram (one or two adjacent characters of a word), updates the number of events that contain it.
 * The statement uses the changes that are not counted yet. Changes with the same text are counted together. Words and
 * grams are written in alphabetical order, so two concurrent runs do not deadlock. Returns one row if there were
 * changes.
 */
const UPDATE_WORD_COUNTS = statement(
  'discover_update_word_counts',
  `WITH changes AS (
     UPDATE live_event_changes SET counted_in = true WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM (
         SELECT ctid, sum(length(folded)) OVER (ORDER BY ctid) - length(folded) AS characters_before
           FROM (SELECT ctid, folded FROM live_event_changes WHERE NOT counted_in LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) AS uncounted
       ) AS sized WHERE characters_before < ${TEXT_CHARACTERS})) RETURNING sign, folded),
   texts AS MATERIALIZED (SELECT sum(sign) AS n, folded FROM changes GROUP BY folded HAVING sum(sign) <> 0),
   words AS (
     INSERT INTO live_words AS known (word, events)
     SELECT word, sum(n) FROM texts, LATERAL (SELECT DISTINCT left(w, 100) AS word FROM unnest(string_to_array(folded, ' ')) AS w WHERE w <> '') w
      GROUP BY word HAVING sum(n) <> 0 ORDER BY word
     ON CONFLICT (word) DO UPDATE SET events = known.events + EXCLUDED.events),
   grams AS (
     INSERT INTO live_grams AS known (gram, events)
     SELECT gram, sum(n) FROM texts, unnest(f_grams(folded)) AS gram GROUP BY gram HAVING sum(n) <> 0 ORDER BY gram
     ON CONFLICT (gram) DO UPDATE SET events = known.events + EXCLUDED.events)
   SELECT 1 FROM changes LIMIT 1`,
);
/** Deletes words that no listed event contains. */
const DELETE_UNUSED_WORDS = statement(
  'discover_delete_unused_words',
  `DELETE FROM live_words WHERE events = 0 AND ctid = ANY (ARRAY(
     SELECT ctid FROM live_words WHERE events = 0 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
);
/** Fills the columns that migrations 0350 and 0590 added, in the rows in which these columns are still null. */
const COMPLETE_ROWS = statement(
  'discover_complete_rows',
  `UPDATE live_events l
      SET (free, group_id, series_id, latitude, longitude, created_at, folded_text) = (e.free, e.group_id, e.series_id, e.latitude, e.longitude, e.created_at, e.folded_text)
     FROM listable_events e
    WHERE e.id = l.id AND l.id IN (
     SELECT id FROM live_events WHERE created_at IS NULL OR folded_text IS NULL ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
);
/**
 * Merges the pending list of the GIN index `live_events_words` into the tree of the index. The pending list contains
 * new entries that are not in the tree yet. Without this step, a write that finds the list full would have to merge the
 * list, and would take longer. The statement does nothing if the database role of the service does not own the index.
 */
const MERGE_PENDING_LIST = statement(
  'discover_merge_pending_list',
  `SELECT gin_clean_pending_list(oid) FROM pg_class WHERE oid = 'live_events_words'::regclass AND pg_has_role(relowner, 'USAGE')`,
);

const batch =
  (sql: Statement) =>
  (tx: Transaction): Promise<unknown[]> =>
    tx.rows(sql);
/** For statements whose `$1` is the current time. */
const batchAt =
  (sql: Statement) =>
  (tx: Transaction, { now }: { now: Date }): Promise<unknown[]> =>
    tx.rows(sql, [now]);

/**
 * Maintains Discover's tables: deletes ended events, fills new columns after an upgrade, updates the numbers of events
 * for each word, deletes unused words, merges the pending list of an index, clears boosts that ended more than an hour
 * ago, and deletes old changes. Without the job, Discover becomes slower but stays correct, because its queries check
 * the end of every event.
 */
export const LiveEventsJob = sweepJob({
  name: 'discover-sweep',
  every: 'minute',
  size: BATCH,
  steps: [
    { counts: 'ended', batch: batchAt(DELETE_ENDED) },
    { batch: batch(COMPLETE_ROWS) },
    // The statement returns at most one row, so with size 1 the step is repeated until all changes are counted.
    { size: 1, batch: batch(UPDATE_WORD_COUNTS) },
    { batch: batch(DELETE_UNUSED_WORDS) },
    { batch: batch(MERGE_PENDING_LIST) },
    { counts: 'boosts_lapsed', batch: batchAt(CLEAR_BOOSTS) },
    { counts: 'changes_forgotten', batch: batch(DELETE_OLD_CHANGES) },
    { counts: 'changes_forgotten', batch: batch(DELETE_OLD_HIDDEN) },
  ],
});
