import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, QueryFailedError, type MigrationInterface, type QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { migrationOptions } from './data-source';
import { applySqlFiles, pendingSqlFiles, SET_LOCK_TIMEOUT, sqlFiles, type SqlFile } from './sql-files';

export type Migration = new () => MigrationInterface & {
  /** The existing tables and views that the migration changes, if there are several. They are locked together. */
  readonly locks?: readonly string[];
};

/** The number of the lock that a process holds while it migrates. It is arbitrary, but must never change. */
const LOCK = 7_370_114_201;
/** Milliseconds to wait while another process migrates. */
const OTHER_PROCESS_TIMEOUT_MS = 10 * 60_000;
/**
 * PostgreSQL's error codes for a lock that was not available within lock_timeout, and for a deadlock with a running
 * server. In both cases the migration is rolled back.
 */
const LOCKED_OUT = new Set<unknown>(['55P03', '40P01']);
const LOCKED_OUT_HINT =
  'Running servers lock tables that the migration needs: stop the servers, or wait for a quieter hour, and run migrate again. It continues with the first migration that was not applied';
/**
 * Milliseconds that a statement waits for a lock, for each attempt. The first waits are shorter than PostgreSQL's
 * deadlock_timeout (1 s): if the migration and a request wait for each other, the migration is rolled back before
 * PostgreSQL aborts the request. Later waits are longer, for tables that long queries use constantly.
 */
const LOCK_TIMEOUTS_MS = Array.from({ length: 60 }, (_, attempt) => Math.min(Math.round(50 * 1.1 ** attempt), 2_000));

/** The folder `migrations/` next to `libs/`: in the sources for tests under jest, otherwise in `dist`. */
const FOLDER = join(__dirname, '..', '..', '..', 'migrations');
const FILE = /^(\d{4})-([a-z0-9-]+)\.(?:js|ts)$/;

/**
 * Applies missing migrations in the order of their numbers, each in a separate transaction unless it has `transaction =
 * false`. Then applies new and changed SQL files (docs/adr/0340-sql-files.md), unless a newer version has migrated the
 * database. If several processes call this function simultaneously, one of them migrates; the others wait and then find
 * nothing to do.
 *
 * @returns the names of the applied migrations (without file name extensions) and of the applied SQL files
 *
 * @throws StartupError with a message of one line if the database returns an error, if another process migrates for
 * more than 10 minutes, or if a newer version has changed the database so that this version cannot use it
 */
export async function migrate(url: string): Promise<readonly string[]> {
  return (await isUpToDate(url)) ? [] : migrateWith(url, loadMigrations(), sqlFiles());
}

/**
 * Whether the database has exactly the migrations and SQL files of this version. If so (at nearly every start), no
 * migration is loaded and no lock is taken.
 */
async function isUpToDate(url: string): Promise<boolean> {
  const source = new DataSource(migrationOptions(url, []));
  await source.initialize();
  try {
    const known = migrationFiles();
    const appliedNames = await appliedMigrations(source);
    return (
      appliedNames.length === known.size &&
      appliedNames.every((file) => known.has(file)) &&
      (await pendingSqlFiles(source, sqlFiles())).length === 0
    );
  } catch (error) {
    // The error is ignored here, because `migrateWith` gets the same error and reports it.
    if (error instanceof QueryFailedError) return false;
    throw error;
  } finally {
    await source.destroy();
  }
}

/**
 * Applies the given migrations (named as in the table `migrations`), except migrations that the database already has.
 * Applies no SQL files. Used to restore a backup of another version.
 *
 * @throws StartupError if this version does not know one of the names, and for the same reasons as `migrate`. A
 * migration that the database has and that is not in `names` is treated as a migration of a newer version.
 */
export async function migrateAs(url: string, names: readonly string[]): Promise<void> {
  const all = loadMigrations();
  const requestedNames = names.map(fileOf);
  const unknown = requestedNames.filter((file) => !all.has(file));
  if (unknown.length > 0)
    throw new StartupError(
      `The backup is of a newer version of the service, which knows ${unknown.join(', ')}: restore it with that version.`,
    );
  await migrateWith(url, new Map([...all].filter(([file]) => requestedNames.includes(file))));
}

/** Like `migrate`, for the given SQL files and migrations (a map from file names without extension to classes). */
export async function migrateWith(
  url: string,
  migrations: ReadonlyMap<string, Migration>,
  files: readonly SqlFile[] = [],
  lockTimeouts: readonly number[] = LOCK_TIMEOUTS_MS,
): Promise<readonly string[]> {
  const source = new DataSource(
    migrationOptions(
      url,
      [...migrations].map(([file, migration]) => withRetries(file, migration, lockTimeouts)),
    ),
  );
  await source.initialize();
  const holder = source.createQueryRunner();
  try {
    await waitForLock(holder);
    await refuseNewer(source, migrations);
    const before = new Set(await appliedMigrations(source));
    await source.runMigrations();
    const appliedNames = (await appliedMigrations(source)).filter((file) => !before.has(file));
    // If a newer version has migrated the database, its functions and triggers match its tables. So this version does
    // not replace them.
    const isNewer = (await unknownMigrations(source, migrations)).length > 0;
    return isNewer
      ? appliedNames
      : [...appliedNames, ...(await withLockRetries(lockTimeouts, (timeout) => applySqlFiles(source, files, timeout)))];
  } catch (error) {
    // PostgreSQL's own message is the clearest one for missing rights, a read-only database or a full disk.
    if (error instanceof QueryFailedError) {
      throw new StartupError(
        `The database cannot be migrated: ${error.message}.${isLockedOut(error) ? ` ${LOCKED_OUT_HINT}.` : ''}`,
      );
    }
    throw error;
  } finally {
    await holder.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    await holder.release();
    await source.destroy();
  }
}

/**
 * Runs `work` with the first lock timeout. If `work` does not get a lock in this time, or is in a deadlock, `work` is
 * repeated after a pause, with the next timeout. Therefore `work` must be repeatable, or roll its changes back when it
 * fails. A single long wait would block servers: while a migration waits for a lock, all later queries on the table
 * wait too, even reads (OPS-62).
 */
async function withLockRetries<Result>(
  lockTimeouts: readonly number[],
  work: (lockTimeout: number) => Promise<Result>,
): Promise<Result> {
  for (const timeout of lockTimeouts.slice(0, -1)) {
    try {
      return await work(timeout);
    } catch (error) {
      if (!isLockedOut(error)) throw error;
      await pause(timeout);
    }
  }
  return work(lockTimeouts.at(-1)!);
}

function isLockedOut(error: unknown): boolean {
  return LOCKED_OUT.has((error as { code?: unknown }).code);
}

/**
 * The names of the migrations that the database lacks, and of the SQL files whose current content has not been applied.
 * The result contains no SQL files if a newer version has migrated the database.
 */
export async function pendingMigrations(source: DataSource): Promise<readonly string[]> {
  const known = migrationFiles();
  const appliedNames = new Set(await appliedMigrations(source));
  const files = [...appliedNames].every((file) => known.has(file)) ? await pendingSqlFiles(source, sqlFiles()) : [];
  return [...[...known.keys()].filter((file) => !appliedNames.has(file)), ...files.map(({ name }) => name)];
}

/**
 * Like `pendingMigrations`, for the database at `url`. Used by `doctor`. Returns an empty list for a new database,
 * because the first start of the service creates the tables.
 */
export async function pendingMigrationsAt(url: string): Promise<readonly string[]> {
  const source = await new DataSource(migrationOptions(url, [])).initialize();
  try {
    return (await appliedMigrations(source)).length === 0 ? [] : await pendingMigrations(source);
  } finally {
    await source.destroy();
  }
}

/** The names of the migrations that the database has, in the order in which they were applied. */
export async function appliedMigrations(source: DataSource): Promise<string[]> {
  const [{ exists }] = await source.query<[{ exists: boolean }]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS "exists"`,
  );
  const rows = exists ? await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id') : [];
  return rows.map(({ name }) => fileOf(name));
}

/**
 * The database's migrations that this version does not know. A newer version has applied them.
 */
export async function unknownMigrations(
  source: DataSource,
  known: ReadonlyMap<string, unknown> = migrationFiles(),
): Promise<readonly string[]> {
  return (await appliedMigrations(source)).filter((file) => !known.has(file));
}

/**
 * Throws if the database has unknown migrations (migrations that this version does not know), unless this version knows
 * the floor of the database (see `floorOf`). With a known floor, unknown migrations are accepted: a newer version may
 * be starting at the same time, and its additions to the schema do not affect this version. If a change is
 * incompatible, the newer version raises the floor.
 */
async function refuseNewer(source: DataSource, migrations: ReadonlyMap<string, Migration>): Promise<void> {
  const unknown = await unknownMigrations(source, migrations);
  if (unknown.length === 0) return;
  const floor = await floorOf(source);
  if (floor === null || !migrations.has(floor)) {
    throw new StartupError(
      `The database is newer than this version of the service, which does not know these migrations: ${unknown.join(', ')}. Start the newer version.`,
    );
  }
}

/**
 * The floor: the oldest migration that a version must know to use this database. Null if no version has stored a floor.
 */
async function floorOf(source: DataSource): Promise<string | null> {
  const [{ exists }] = await source.query<[{ exists: boolean }]>(
    `SELECT to_regclass('schema_floor') IS NOT NULL AS "exists"`,
  );
  if (!exists) return null;
  const [row] = await source.query<{ migration: string }[]>('SELECT migration FROM schema_floor');
  return row?.migration ?? null;
}

/** All files `NNNN-name` of the folder with their exported classes, in the order of the numbers. */
export function loadMigrations(): ReadonlyMap<string, Migration> {
  const load = createRequire(__filename);
  const found = new Map<string, Migration>();
  for (const [file, path] of migrationFiles()) {
    const classes = Object.values(load(path) as object).filter(
      (value): value is Migration => typeof value === 'function',
    );
    if (classes.length !== 1) throw new StartupError(`migrations/${file} must export exactly one class.`);
    found.set(file, classes[0]!);
  }
  return found;
}

/** The paths of all files `NNNN-name` of the folder, in the order of the numbers. */
function migrationFiles(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const numbers = new Set<string>();
  for (const entry of readdirSync(FOLDER).sort()) {
    const [, number, name] = FILE.exec(entry) ?? [];
    if (number === undefined) continue;
    if (numbers.has(number))
      throw new StartupError(`Two migrations have the number ${number}: give the later one the next number.`);
    numbers.add(number);
    found.set(`${number}-${name}`, join(FOLDER, entry));
  }
  return found;
}

/**
 * Returns the migration with retries, and with a name that ends with the number of its file. TypeORM sorts migrations
 * by the 13 digits at the end of their names.
 */
function withRetries(file: string, migration: Migration, lockTimeouts: readonly number[]): Migration {
  return class extends migration {
    override name = `${file}-${file.slice(0, 4).padStart(13, '0')}`;

    override async up(runner: QueryRunner): Promise<void> {
      await withLockRetries(lockTimeouts, async (timeout) => {
        if (this.transaction === false) {
          await super.up(withoutTimeoutForIndexes(runner));
          return;
        }
        await runner.query('SAVEPOINT attempt');
        await runner.query(SET_LOCK_TIMEOUT, [timeout]);
        try {
          if (this.locks) await runner.query(lockTogether(this.locks));
          await super.up(runner);
        } catch (error) {
          // This also releases the locks that the attempt has got.
          await runner.query('ROLLBACK TO SAVEPOINT attempt');
          throw error;
        }
      });
    }
  };
}

/**
 * Returns SQL that tries for a second to lock all tables at once, without waiting for any of them. If a migration
 * locked one table and waited for the next, it could be in a deadlock with a request that uses both tables in the
 * opposite order. If the tables cannot be locked at once within this second, the migration's own statements wait for
 * the locks.
 */
function lockTogether(tables: readonly string[]): string {
  return `DO $$
    BEGIN
      FOR attempt IN 1..50 LOOP
        BEGIN
          LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE NOWAIT;
          RETURN;
        EXCEPTION WHEN lock_not_available THEN
          PERFORM pg_sleep(0.02);
        END;
      END LOOP;
    END $$`;
}

/**
 * A runner without `lock_timeout` for CREATE and DROP INDEX CONCURRENTLY. These statements wait for open transactions
 * of any duration, but block no query meanwhile.
 */
function withoutTimeoutForIndexes(runner: QueryRunner): QueryRunner {
  const query = async (text: string, values?: unknown[]): Promise<unknown> => {
    if (!/\bINDEX CONCURRENTLY\b/.test(text)) return runner.query(text, values);
    await runner.query('SET lock_timeout = 0');
    try {
      return await runner.query(text, values);
    } finally {
      await runner.query('RESET lock_timeout');
    }
  };
  return Object.assign(Object.create(runner) as QueryRunner, { query });
}

/** Removes the 14 characters that `withRetries` has appended to the name of the file. */
function fileOf(name: string): string {
  return name.slice(0, -14);
}

/** Polls for the lock. A session that waits for the lock inside PostgreSQL would block CREATE INDEX CONCURRENTLY. */
async function waitForLock(holder: QueryRunner): Promise<void> {
  const deadline = performance.now() + OTHER_PROCESS_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const [{ taken }] = (await holder.query('SELECT pg_try_advisory_lock($1) AS taken', [LOCK])) as [
      { taken: boolean },
    ];
    if (taken) return;
    await pause(200);
  }
  throw new StartupError(
    `Another process has been applying migrations for ${OTHER_PROCESS_TIMEOUT_MS / 60_000} minutes.`,
  );
}
