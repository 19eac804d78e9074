import { DataSource, type QueryRunner } from 'typeorm';
import { migrationOptions } from './data-source';
import { loadMigrations, type Migration } from './migration-files';
import { appliedMigrations } from './migration-state';
import { migrateWith } from './migrations';
import { pendingSqlFiles, runSqlFile, sqlFiles, type SqlFile } from './sql-files';
import { onTrialDatabase } from './trial-database';

interface Lock {
  readonly table: string;
  readonly mode: string;
}

/**
 * A pending migration and its locks on tables and views that existed before it. The locks are held until the migration
 * ends. If the migration is not one transaction, each lock is held until the end of its statement.
 */
export interface PlannedMigration {
  readonly migration: string;
  readonly locks: readonly Lock[];
}

/** A new or changed SQL file. All SQL files are applied in one transaction, which holds the locks until its end. */
export interface PlannedFile {
  readonly file: string;
  readonly locks: readonly Lock[];
}

interface KnownChanges {
  readonly migrations: ReadonlyMap<string, Migration>;
  readonly files: readonly SqlFile[];
}

/**
 * Returns the pending migrations and SQL files that `migrate` would apply, with their locks. PostgreSQL reports the
 * locks while each migration and file is applied to a temporary database, which has the same tables and no rows.
 *
 * @throws StartupError if the role is not allowed to create databases
 */
export async function planMigrations(
  url: string,
  { migrations: all, files }: KnownChanges = { migrations: loadMigrations(), files: sqlFiles() },
): Promise<readonly (PlannedMigration | PlannedFile)[]> {
  const source = await new DataSource(migrationOptions(url, [])).initialize();
  try {
    const appliedNames = new Set(await appliedMigrations(source));
    const isDatabaseNewer = [...appliedNames].some((file) => !all.has(file));
    const pending = new Set(isDatabaseNewer ? [] : await pendingSqlFiles(source, files));
    if (pending.size === 0 && [...all.keys()].every((file) => appliedNames.has(file))) return [];
    return await onTrialDatabase(url, { name: 'events_plan', errorBeginning: 'The plan is made on' }, async (trial) => {
      await migrateWith(trial, new Map([...all].filter(([file]) => appliedNames.has(file))));
      const planned = await locksOf(
        trial,
        [...all].filter(([file]) => !appliedNames.has(file)),
      );
      return [...planned, ...(pending.size > 0 ? await locksOfFiles(trial, files, pending) : [])];
    });
  } finally {
    await source.destroy();
  }
}

/**
 * The locks on tables and views by which this transaction blocks reads or writes of rows by other transactions. The
 * weaker locks that ordinary reads and writes take are not listed.
 */
const LOCKS_HELD = `
  SELECT DISTINCT c.relname AS table, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
   WHERE l.pid = pg_backend_pid() AND c.relkind IN ('r', 'p', 'v') AND c.relname = ANY ($1)
     AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') ORDER BY 1, 2`;
const TABLES = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')`;

async function locksOf(
  url: string,
  migrations: readonly (readonly [string, Migration])[],
): Promise<PlannedMigration[]> {
  const source = await new DataSource(migrationOptions(url, [])).initialize();
  const runner = source.createQueryRunner();
  try {
    const planned: PlannedMigration[] = [];
    for (const [migration, MigrationClass] of migrations) {
      const step = new MigrationClass();
      const tables = ((await runner.query(TABLES)) as { name: string }[]).map(({ name }) => name);
      const locks =
        step.transaction === false
          ? await locksOfEachStatement(runner, tables, (watched) => step.up(watched))
          : await locksTaken(runner, tables, () => step.up(runner));
      planned.push({ migration, locks });
    }
    return planned;
  } finally {
    await runner.release();
    await source.destroy();
  }
}

/** Applies all SQL files, because pending files may need the others. Returns the locks of the pending files. */
async function locksOfFiles(
  url: string,
  files: readonly SqlFile[],
  pending: ReadonlySet<SqlFile>,
): Promise<PlannedFile[]> {
  const source = await new DataSource(migrationOptions(url, [])).initialize();
  const runner = source.createQueryRunner();
  try {
    const tables = ((await runner.query(TABLES)) as { name: string }[]).map(({ name }) => name);
    const planned: PlannedFile[] = [];
    for (const file of files) {
      const locks = await locksTaken(runner, tables, () => runSqlFile(runner, file));
      if (pending.has(file)) planned.push({ file: file.name, locks });
    }
    return planned;
  } finally {
    await runner.release();
    await source.destroy();
  }
}

async function locksTaken(
  runner: QueryRunner,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<Lock[]> {
  await runner.startTransaction();
  await work();
  const locks = (await runner.query(LOCKS_HELD, [tables])) as Lock[];
  await runner.commitTransaction();
  return locks;
}

/**
 * Matches the statements that PostgreSQL refuses in a transaction. The locks of such a statement block neither reads
 * nor writes.
 */
const OUTSIDE_TRANSACTION = /\bCONCURRENTLY\b/i;

/**
 * Runs `up` of a migration that is not one transaction: each statement is a separate transaction. Returns the locks.
 */
async function locksOfEachStatement(
  runner: QueryRunner,
  tables: readonly string[],
  up: (watched: QueryRunner) => Promise<void>,
): Promise<Lock[]> {
  const found = new Map<string, Lock>();
  const query = async (...args: Parameters<QueryRunner['query']>): Promise<unknown> => {
    let result: unknown;
    if (OUTSIDE_TRANSACTION.test(args[0])) result = await runner.query(...args);
    else {
      const run = async (): Promise<void> => void (result = await runner.query(...args));
      for (const lock of await locksTaken(runner, tables, run)) found.set(`${lock.table} ${lock.mode}`, lock);
    }
    return result;
  };
  await up(
    new Proxy(runner, { get: (target, name) => (name === 'query' ? query : (Reflect.get(target, name) as unknown)) }),
  );
  return [...found.values()];
}
