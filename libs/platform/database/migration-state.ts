import { DataSource } from 'typeorm';
import { migrationOptions } from './data-source';
import { migrationFiles } from './migration-files';
import { pendingSqlFiles, sqlFiles } from './sql-files';

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
 * The name of the migration that is the floor: a version that does not know this migration cannot use this database.
 * Null if no version has stored a floor.
 */
export async function floorOf(source: DataSource): Promise<string | null> {
  const [{ exists }] = await source.query<[{ exists: boolean }]>(
    `SELECT to_regclass('schema_floor') IS NOT NULL AS "exists"`,
  );
  if (!exists) return null;
  const [row] = await source.query<{ migration: string }[]>('SELECT migration FROM schema_floor');
  return row?.migration ?? null;
}

/** Removes the 14 characters that `retryingMigration` has appended to the name of the file. */
export function fileOf(name: string): string {
  return name.slice(0, -14);
}
