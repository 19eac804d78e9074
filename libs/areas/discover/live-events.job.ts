import { Injectable } from '@nestjs/common';
import { Database, statement, type Statement } from '#platform/database/database';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';

/** Rows a transaction changes at most. */
const BATCH = 500;

/** Rows that somebody is changing right now are left for the next run. */
const ENDED = statement(
  'discover_ended',
  `DELETE FROM live_events WHERE id IN (SELECT id FROM live_events WHERE over_at <= $1 ORDER BY over_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`,
);
const LAPSED = statement(
  'discover_lapsed',
  `UPDATE live_events SET boosted_until = NULL WHERE id IN (
     SELECT id FROM live_events WHERE boosted_until <= $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`,
);
/** By the database's own clock, which noted them. Totals are carried on over a minute at most. */
const old = (name: string, table: string): Statement => statement(
  name,
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM ${table} WHERE $1::timestamptz IS NOT NULL AND noted_at < now() - interval '10 minutes' LIMIT ${BATCH})) RETURNING 1`,
);
const OLD = old('discover_old_changes', 'live_event_changes');
const OLD_HIDDEN = old('discover_old_hidden_changes', 'hidden_from_changes');

/**
 * Takes what has ended out of the table that Discover reads, forgets boosts that have lapsed, and changes that no total needs any
 * more. Nothing depends on when it runs but speed: Discover asks every row whether it has ended.
 */
@Injectable()
export class LiveEventsJob implements Job {
  readonly name = 'discover-sweep';
  readonly every = 'minute';

  constructor(private readonly database: Database) {}

  async run(context: JobContext): Promise<JobResult> {
    return {
      ended: await this.batches(ENDED, context),
      boosts_lapsed: await this.batches(LAPSED, context),
      changes_forgotten: (await this.batches(OLD, context)) + (await this.batches(OLD_HIDDEN, context)),
    };
  }

  private async batches(sql: Statement, { now, signal }: JobContext): Promise<number> {
    let total = 0;
    for (let found = BATCH; found === BATCH; total += found) {
      signal.throwIfAborted();
      found = await this.database.transaction(async (tx) => (await tx.rows(sql, [now])).length);
    }
    return total;
  }
}
