import { Injectable } from '@nestjs/common';
import { Database, statement, type Statement } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';

/** Rows a transaction changes at most. */
const BATCH = 500;

/** Rows that somebody is changing right now are left for the next run. */
const ENDED = statement(
  'discover_ended',
  `DELETE FROM live_events WHERE id IN (SELECT id FROM live_events WHERE over_at <= $1 ORDER BY over_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`,
);
/** An hour later: a client that follows a cursor keeps the boosts of its first page (DISC-20). */
const LAPSED = statement(
  'discover_lapsed',
  `UPDATE live_events SET boosted_until = NULL WHERE id IN (
     SELECT id FROM live_events WHERE boosted_until <= $1::timestamptz - interval '1 hour' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`,
);
/** By the database's own clock, which noted them. Totals are carried on over a minute at most. */
const old = (name: string, table: string, more = ''): Statement =>
  statement(
    name,
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM ${table} WHERE $1::timestamptz IS NOT NULL${more} AND noted_at < now() - interval '10 minutes' LIMIT ${BATCH})) RETURNING 1`,
  );
const OLD = old('discover_old_changes', 'live_event_changes', ' AND counted_in');
const OLD_HIDDEN = old('discover_old_hidden_changes', 'hidden_from_changes');

/** The words of changes, each distinct text once. In one order, so that two who do this at once wait for each other. */
const COUNTED_IN = statement(
  'discover_words_counted_in',
  `WITH changes AS (
     UPDATE live_event_changes SET counted_in = true WHERE $1::timestamptz IS NOT NULL AND ctid = ANY (ARRAY(
       SELECT ctid FROM live_event_changes WHERE NOT counted_in LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING sign, folded),
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
   SELECT 1 FROM changes`,
);
/** Words that no listed event has any more. */
const GONE = statement(
  'discover_words_gone',
  `DELETE FROM live_words WHERE events = 0 AND ctid = ANY (ARRAY(
     SELECT ctid FROM live_words WHERE $1::timestamptz IS NOT NULL AND events = 0 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
);
/** Rows that a server of the version before wrote while the columns of migration 0350 were added. */
const COMPLETED = statement(
  'discover_completed',
  `UPDATE live_events l
      SET (free, group_id, series_id, latitude, longitude, created_at) = (e.free, e.group_id, e.series_id, e.latitude, e.longitude, e.created_at)
     FROM listable_events e
    WHERE e.id = l.id AND l.id IN (
     SELECT id FROM live_events WHERE $1::timestamptz IS NOT NULL AND created_at IS NULL ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
);
/** Sorts new words into their index, so that no write has to: the one that finds the list of them full. Only its owner may. */
const TIDY = statement(
  'discover_words_tidy',
  `SELECT gin_clean_pending_list(oid) FROM pg_class WHERE $1::timestamptz IS NOT NULL AND oid = 'live_events_words'::regclass AND pg_has_role(relowner, 'USAGE')`,
);

/**
 * Takes what has ended out of the table that Discover reads, forgets boosts that have lapsed, counts in the words of
 * what has changed, and forgets changes that no total needs any more. Nothing depends on when it runs but speed: Discover asks every row whether it has ended.
 */
@Injectable()
export class LiveEventsJob implements Job {
  readonly name = 'discover-sweep';
  readonly every = 'minute';

  constructor(private readonly database: Database) {}

  async run(context: JobContext): Promise<JobResult> {
    const ended = await this.batches(ENDED, context);
    await this.batches(COMPLETED, context);
    await this.batches(COUNTED_IN, context);
    await this.batches(GONE, context);
    await this.database.rows(TIDY, [context.now]);
    return {
      ended,
      boosts_lapsed: await this.batches(LAPSED, context),
      changes_forgotten: (await this.batches(OLD, context)) + (await this.batches(OLD_HIDDEN, context)),
    };
  }

  private batches(sql: Statement, { now, signal }: JobContext): Promise<number> {
    return inBatches(BATCH, signal, () => this.database.transaction(async (tx) => (await tx.rows(sql, [now])).length));
  }
}
