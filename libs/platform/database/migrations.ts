import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, QueryFailedError, type MigrationInterface, type QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { migrationOptions } from './data-source';
import { applySqlFiles, pendingSqlFiles, sqlFiles, type SqlFile } from './sql-files';

export type Migration = new () => MigrationInterface;

/** Any number, but always this one: whoever holds it migrates. */
const LOCK = 7_370_114_201;
const LOCK_TIMEOUT = 10 * 60_000;
/** PostgreSQL's codes for a lock that was not had within lock_timeout, and for a deadlock with a server at work. Either leaves nothing of the migration. */
const LOCKED_OUT = new Set<unknown>(['55P03', '40P01']);
const LOCKED_OUT_HINT =
  'Servers use the tables that it needs: stop them, or wait for a quieter hour, and run migrate again. It goes on where it stopped';
const LOCK_ATTEMPTS = 60;
const BETWEEN_ATTEMPTS = 1_000;

/** `migrations/` beside `libs/`: of the sources under jest, of `dist` otherwise. */
const FOLDER = join(__dirname, '..', '..', '..', 'migrations');
const FILE = /^(\d{4})-([a-z0-9-]+)\.(?:js|ts)$/;

/**
 * Applies what is missing, each migration in its own transaction, in the order of the files' numbers. Several at once are
 * safe: one works, the others wait and find nothing left to do. Then the SQL files that are new or changed (docs/adr/0340-sql-files.md).
 * @returns the names of the migrations it applied, without their endings, and of the SQL files
 * @throws StartupError in one line when the database refuses, or when a newer version was here on whose database this one cannot work
 */
export async function migrate(url: string): Promise<readonly string[]> {
  return (await isUpToDate(url)) ? [] : migrateWith(url, loadMigrations(), sqlFiles());
}

/** Whether the database has what this version knows, no more and no less: nearly every start, which then loads no migration and waits for nobody. */
async function isUpToDate(url: string): Promise<boolean> {
  const source = new DataSource(migrationOptions(url, []));
  await source.initialize();
  try {
    const known = migrationFiles();
    const applied = await appliedMigrations(source);
    return (
      applied.length === known.size &&
      applied.every((file) => known.has(file)) &&
      (await pendingSqlFiles(source, sqlFiles())).length === 0
    );
  } catch (error) {
    // `migrateWith` meets it too, and says it.
    if (error instanceof QueryFailedError) return false;
    throw error;
  } finally {
    await source.destroy();
  }
}

/**
 * Applies those of the named ones (as the table `migrations` has them) that are missing, for a restore of another version's backup.
 * @throws StartupError as `migrate`, for names this version does not know, and for a database that has others already
 */
export async function migrateAs(url: string, names: readonly string[]): Promise<void> {
  const all = loadMigrations();
  const wanted = names.map(fileOf);
  const unknown = wanted.filter((file) => !all.has(file));
  if (unknown.length > 0)
    throw new StartupError(
      `The backup is of a newer version of the service, which knows ${unknown.join(', ')}: restore it with that.`,
    );
  await migrateWith(url, new Map([...all].filter(([file]) => wanted.includes(file))));
}

/** As `migrate`, with migrations given as file name (without its ending) and class. */
export async function migrateWith(
  url: string,
  migrations: ReadonlyMap<string, Migration>,
  files: readonly SqlFile[] = [],
  attempts = LOCK_ATTEMPTS,
): Promise<readonly string[]> {
  const source = new DataSource(
    migrationOptions(
      url,
      [...migrations].map(([file, migration]) => named(file, migration)),
    ),
  );
  await source.initialize();
  const holder = source.createQueryRunner();
  try {
    await waitForLock(holder);
    await refuseNewer(source, migrations);
    const before = new Set(await appliedMigrations(source));
    await patiently(() => source.runMigrations(), attempts);
    const applied = (await appliedMigrations(source)).filter((file) => !before.has(file));
    // Of a newer version, whose functions and triggers fit its tables.
    const isNewer = (await unknownMigrations(source, migrations)).length > 0;
    return isNewer ? applied : [...applied, ...(await patiently(() => applySqlFiles(source, files), attempts))];
  } catch (error) {
    // No right to make an extension, a read-only database, a full disk: PostgreSQL's own line says it best.
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
 * A migration that cannot have a lock soon, or is in a deadlock, gives up and is tried again: while it waits for one, everybody after it waits
 * too, readers included (OPS-62).
 */
async function patiently<Result>(work: () => Promise<Result>, attempts: number): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !isLockedOut(error)) throw error;
      await pause(BETWEEN_ATTEMPTS);
    }
  }
}

function isLockedOut(error: unknown): boolean {
  return LOCKED_OUT.has((error as { code?: unknown }).code);
}

/** The names of migrations and SQL files the database does not have yet; for `doctor` and for a start that must not migrate. */
export async function pendingMigrations(source: DataSource): Promise<readonly string[]> {
  const known = migrationFiles();
  const applied = new Set(await appliedMigrations(source));
  const files = [...applied].every((file) => known.has(file)) ? await pendingSqlFiles(source, sqlFiles()) : [];
  return [...[...known.keys()].filter((file) => !applied.has(file)), ...files.map(({ name }) => name)];
}

/** The names of migrations the database has, in the order in which it got them. */
export async function appliedMigrations(source: DataSource): Promise<string[]> {
  const [{ known }] = await source.query<[{ known: boolean }]>(`SELECT to_regclass('migrations') IS NOT NULL AS known`);
  const rows = known ? await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id') : [];
  return rows.map(({ name }) => fileOf(name));
}

/** Migrations of the database that this version does not know: a newer one was here, and has left the database fit for this one. */
export async function unknownMigrations(
  source: DataSource,
  known: ReadonlyMap<string, unknown> = migrationFiles(),
): Promise<readonly string[]> {
  return (await appliedMigrations(source)).filter((file) => !known.has(file));
}

/** A newer version may be starting beside this one: what it has added disturbs nobody, what it has changed is told by the floor. */
async function refuseNewer(source: DataSource, migrations: ReadonlyMap<string, Migration>): Promise<void> {
  const unknown = await unknownMigrations(source, migrations);
  if (unknown.length === 0) return;
  const floor = await floorOf(source);
  if (floor === null || !migrations.has(floor)) {
    throw new StartupError(
      `The database is newer than this version of the service, which does not know its ${unknown.join(', ')}: start the newer version.`,
    );
  }
}

/** The migration that a server has to know to work here; null: of a version that did not say. */
async function floorOf(source: DataSource): Promise<string | null> {
  const [{ exists: exists }] = await source.query<[{ exists: boolean }]>(
    `SELECT to_regclass('schema_floor') IS NOT NULL AS told`,
  );
  if (!exists) return null;
  const [row] = await source.query<{ migration: string }[]>('SELECT migration FROM schema_floor');
  return row?.migration ?? null;
}

/** Every file `NNNN-name` of the folder with the one class it exports, by number. */
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

/** The path of every file `NNNN-name` of the folder, by number. */
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

/** TypeORM orders by 13 digits at the end of a name. We number files instead, and put the number there. */
function named(file: string, migration: Migration): Migration {
  return class extends migration {
    override name = `${file}-${file.slice(0, 4).padStart(13, '0')}`;

    override async up(runner: QueryRunner): Promise<void> {
      // What is made CONCURRENTLY waits for transactions, however long they take, and nobody waits for it.
      if (this.transaction === false) await runner.query('SET lock_timeout = 0');
      await super.up(runner);
      if (this.transaction === false) await runner.query('RESET lock_timeout');
    }
  };
}

function fileOf(name: string): string {
  return name.slice(0, -14);
}

/** Asks again and again instead of waiting inside PostgreSQL, where a waiting session would block CREATE INDEX CONCURRENTLY. */
async function waitForLock(holder: QueryRunner): Promise<void> {
  const patience = performance.now() + LOCK_TIMEOUT;
  while (performance.now() < patience) {
    const [{ taken }] = (await holder.query('SELECT pg_try_advisory_lock($1) AS taken', [LOCK])) as [
      { taken: boolean },
    ];
    if (taken) return;
    await pause(200);
  }
  throw new StartupError(`Another process has been applying migrations for ${LOCK_TIMEOUT / 60_000} minutes.`);
}
