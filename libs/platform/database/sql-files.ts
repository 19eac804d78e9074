import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryFailedError, type DataSource, type QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';

/**
 * A file that defines functions, views or triggers, or drops functions, views or triggers of earlier versions. `name`
 * is the path from the repository's root, and `digest` is the SHA-256 of the text.
 */
export interface SqlFile {
  readonly name: string;
  readonly text: string;
  readonly digest: string;
}

/** The folder `libs/`: in the sources for tests under jest, otherwise in `dist`. */
const LIBS = join(__dirname, '..', '..');
/**
 * The order in which files are applied. Functions come first, because triggers and views call them. `removed.sql` drops
 * what the other files defined in the past and no longer define.
 */
const KINDS = ['functions.sql', 'views.sql', 'triggers.sql', 'removed.sql'];

/**
 * Returns the files `libs/platform/x/sql/*.sql` and `libs/areas/x/sql/*.sql` in the order of application
 * (docs/adr/0340-sql-files.md).
 */
export function sqlFiles(libs = LIBS): readonly SqlFile[] {
  const found: { kind: number; file: SqlFile }[] = [];
  for (const group of ['platform', 'areas']) {
    for (const area of readdirSync(join(libs, group)).sort()) {
      const folder = join(libs, group, area, 'sql');
      if (!existsSync(folder)) continue;
      for (const entry of readdirSync(folder)) {
        const name = `libs/${group}/${area}/sql/${entry}`;
        const kind = KINDS.indexOf(entry);
        if (kind < 0) throw new StartupError(`${name} must be one of ${KINDS.join(', ')}.`);
        const text = readFileSync(join(folder, entry), 'utf8');
        found.push({ kind, file: { name, text, digest: createHash('sha256').update(text).digest('hex') } });
      }
    }
  }
  // The sort is stable, so the order of the folders is preserved.
  return found.sort((a, b) => a.kind - b.kind).map(({ file }) => file);
}

/**
 * Returns the files whose current content has not been applied to the database. Reads at most one table, and does not
 * take the lock of the migrations.
 */
export async function pendingSqlFiles(
  source: DataSource | QueryRunner,
  files: readonly SqlFile[],
): Promise<readonly SqlFile[]> {
  const [{ known }] = (await source.query(`SELECT to_regclass('database_files') IS NOT NULL AS known`)) as [
    { known: boolean },
  ];
  const rows = known
    ? ((await source.query('SELECT name, digest FROM database_files')) as { name: string; digest: string }[])
    : [];
  const appliedDigests = new Map(rows.map(({ name, digest }) => [name, digest]));
  return files.filter(({ name, digest }) => appliedDigests.get(name) !== digest);
}

/** Limits how long each statement of the current transaction waits for a lock: at most $1 milliseconds. */
export const SET_LOCK_TIMEOUT = `SELECT set_config('lock_timeout', $1::integer::text, true)`;

/**
 * Applies the pending files in one transaction and returns their names. Each statement waits for a lock at most
 * `lockTimeout` milliseconds.
 */
export async function applySqlFiles(
  source: DataSource,
  files: readonly SqlFile[],
  lockTimeout: number,
): Promise<readonly string[]> {
  const pending = await pendingSqlFiles(source, files);
  if (pending.length === 0) return [];
  await source.transaction(async ({ queryRunner }) => {
    if (!queryRunner) throw new Error('the transaction has no query runner');
    await queryRunner.query(SET_LOCK_TIMEOUT, [lockTimeout]);
    for (const file of pending) {
      await runSqlFile(queryRunner, file);
      await queryRunner.query(
        'INSERT INTO database_files (name, digest) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET digest = EXCLUDED.digest, applied_at = now()',
        [file.name, file.digest],
      );
    }
  });
  return pending.map(({ name }) => name);
}

/**
 * Applies a file within a transaction. PostgreSQL's check of function bodies is switched off, so functions may use
 * views and functions of later files.
 */
export async function runSqlFile(runner: QueryRunner, { name, text }: SqlFile): Promise<void> {
  await runner.query('SET LOCAL check_function_bodies = off');
  try {
    await runner.query(text);
  } catch (error) {
    if (error instanceof QueryFailedError) error.message = `${name}: ${error.message}`;
    throw error;
  }
}
