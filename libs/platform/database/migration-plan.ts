import { randomBytes } from 'node:crypto';
import { DataSource, type QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { migrationOptions } from './data-source';
import { appliedMigrations, loadMigrations, migrateWith, type Migration } from './migrations';

interface Lock {
  readonly table: string;
  readonly mode: string;
}

/**
 * A migration that is not applied yet, and the locks it takes on tables that are there already: until its end, or, where its statements
 * are no transaction together, each until the end of its statement.
 */
export interface PlannedMigration {
  readonly migration: string;
  readonly locks: readonly Lock[];
}

/**
 * What `migrate` would apply. The locks are those that PostgreSQL takes: each migration is tried on a database beside this one, which
 * has its tables without any rows and is gone afterwards.
 * @throws StartupError where the role may not make databases
 */
export async function planMigrations(url: string, all: ReadonlyMap<string, Migration> = loadMigrations()): Promise<readonly PlannedMigration[]> {
  const present = await new DataSource(migrationOptions(url, [])).initialize();
  const trial = `events_plan_${randomBytes(6).toString('hex')}`;
  try {
    const applied = new Set(await appliedMigrations(present));
    if ([...all.keys()].every((file) => applied.has(file))) return [];
    await present.query(`CREATE DATABASE ${trial} TEMPLATE template0 ENCODING 'UTF8'`).catch((error: unknown) => {
      throw new StartupError(`The plan is made on a database beside this one, which cannot be made: ${(error as Error).message}.`);
    });
    const beside = new URL(url);
    beside.pathname = `/${trial}`;
    await migrateWith(beside.href, new Map([...all].filter(([file]) => applied.has(file))));
    return await locksOf(beside.href, [...all].filter(([file]) => !applied.has(file)));
  } finally {
    await present.query(`DROP DATABASE IF EXISTS ${trial} WITH (FORCE)`).catch(() => undefined);
    await present.destroy();
  }
}

/** Locks that others wait for: reading a table, or writing its rows, takes weaker ones. */
const LOCKS_HELD = `
  SELECT DISTINCT c.relname AS table, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
   WHERE l.pid = pg_backend_pid() AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1)
     AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') ORDER BY 1, 2`;
const TABLES = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`;

async function locksOf(url: string, migrations: readonly (readonly [string, Migration])[]): Promise<PlannedMigration[]> {
  const source = await new DataSource(migrationOptions(url, [])).initialize();
  const runner = source.createQueryRunner();
  try {
    const planned: PlannedMigration[] = [];
    for (const [migration, make] of migrations) {
      const step = new make();
      const tables = ((await runner.query(TABLES)) as { name: string }[]).map(({ name }) => name);
      const locks = step.transaction === false
        ? await statementByStatement(runner, tables, (watched) => step.up(watched))
        : await locksTaken(runner, tables, () => step.up(runner));
      planned.push({ migration, locks });
    }
    return planned;
  } finally {
    await runner.release();
    await source.destroy();
  }
}

async function locksTaken(runner: QueryRunner, tables: readonly string[], work: () => Promise<unknown>): Promise<Lock[]> {
  await runner.startTransaction();
  await work();
  const locks = (await runner.query(LOCKS_HELD, [tables])) as Lock[];
  await runner.commitTransaction();
  return locks;
}

/** PostgreSQL refuses these within a transaction. The locks they take disturb neither readers nor writers. */
const ALONE = /\bCONCURRENTLY\b/i;

/** What `up` locks when each of its statements is a transaction of its own. */
async function statementByStatement(runner: QueryRunner, tables: readonly string[], up: (watched: QueryRunner) => Promise<void>): Promise<Lock[]> {
  const found = new Map<string, Lock>();
  const query = async (...asked: Parameters<QueryRunner['query']>): Promise<unknown> => {
    let answer: unknown;
    if (ALONE.test(asked[0])) answer = await runner.query(...asked);
    else {
      const ask = async (): Promise<void> => void (answer = await runner.query(...asked));
      for (const lock of await locksTaken(runner, tables, ask)) found.set(`${lock.table} ${lock.mode}`, lock);
    }
    return answer;
  };
  await up(new Proxy(runner, { get: (target, name) => (name === 'query' ? query : (Reflect.get(target, name) as unknown)) }));
  return [...found.values()];
}
