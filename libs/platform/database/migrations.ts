import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { migrationOptions } from './data-source';
import { loadMigrations, migrationFiles, type Migration } from './migration-files';
import {
  isLockedOut,
  LOCK_TIMEOUTS_MS,
  LOCKED_OUT_HINT,
  retryingMigration,
  withLockRetries,
} from './migration-retries';
import { appliedMigrations, fileOf, floorOf, unknownMigrations } from './migration-state';
import { applySqlFiles, pendingSqlFiles, sqlFiles, type SqlFile } from './sql-files';

/** The number of the advisory lock that a process takes while it migrates. It is arbitrary, but must never change. */
const LOCK = 7_370_114_201;
/** Milliseconds to wait while another process migrates. */
const OTHER_PROCESS_TIMEOUT_MS = 10 * 60_000;

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
      `The backup is of a newer version of the service. This version does not know these migrations: ${unknown.join(', ')}. Restore the backup with the newer version.`,
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
      [...migrations].map(([file, migration]) => retryingMigration(file, migration, lockTimeouts)),
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
