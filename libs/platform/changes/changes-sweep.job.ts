import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Database, statement, type Transaction } from '../database/database';
import type { Job, JobContext, JobResult } from '../jobs/job';

const WEEK_MS = 7 * 86_400_000;
/** Monday, 5 January 1970, 00:00 UTC. */
const FIRST_MONDAY_MS = 4 * 86_400_000;
/** Number of future weeks that are prepared. */
const AHEAD = 4;

const SELECT_WEEKS = statement(
  'changes_weeks',
  `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'changes'::regclass AND c.relname ~ '^changes_\\d{8}$' ORDER BY 1`,
);
const HAS_REST_IN = statement(
  'changes_rest_in',
  'SELECT 1 AS rest FROM changes_rest WHERE at >= $1 AND at < $2 LIMIT 1',
);
const SWEEP_REST = statement('changes_sweep_rest', 'DELETE FROM changes_rest WHERE at < $1 RETURNING 1');

/** Creates partitions for the coming weeks, and drops those older than the retention (CHG-13). */
@Injectable()
export class ChangesSweepJob implements Job {
  readonly name = 'changes-sweep';
  readonly every = 'hour';

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const kept = now.getTime() - this.settings.changesKeepSeconds * 1000;
    const there = new Set((await this.database.rows<{ name: string }>(SELECT_WEEKS)).map(({ name }) => name));
    let [prepared, dropped] = [0, 0];
    for (let week = 0; week <= AHEAD; week++) {
      signal.throwIfAborted();
      const monday = mondayOf(now.getTime()) + week * WEEK_MS;
      if (!there.has(nameOf(monday)) && (await this.database.transaction((tx) => prepare(tx, monday)))) prepared++;
    }
    for (const name of there) {
      signal.throwIfAborted();
      if (startOf(name) + WEEK_MS > kept) continue;
      await this.database.transaction((tx) => tx.manager.query(`DROP TABLE ${name}`));
      dropped++;
    }
    const rest = await this.database.autocommit.rows(SWEEP_REST, [new Date(kept)]);
    return { weeks_prepared: prepared, weeks_dropped: dropped, changes_forgotten: rest.length };
  }
}

/** False for a week that has rows in the default partition: it stays there. */
async function prepare(tx: Transaction, monday: number): Promise<boolean> {
  const [from, to] = [new Date(monday), new Date(monday + WEEK_MS)];
  if ((await tx.rows(HAS_REST_IN, [from, to])).length > 0) return false;
  await tx.manager.query(
    `CREATE TABLE ${nameOf(monday)} PARTITION OF changes FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
  );
  return true;
}

function mondayOf(time: number): number {
  return time - ((time - FIRST_MONDAY_MS) % WEEK_MS);
}

function nameOf(monday: number): string {
  return `changes_${new Date(monday).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

function startOf(name: string): number {
  const [, year, month, day] = /(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}
