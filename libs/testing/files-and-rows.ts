import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesOf } from '#platform/storage/media-key';
import type { JobResult } from '#platform/jobs/job';
import { MediaSweepJob } from '#platform/media/media-sweep.job';
import type { TestServer } from './test-server';

/** The result of `sweep` if it found nothing to delete. */
export const NOTHING_TO_DO: JobResult = { abandoned: 0, removed: 0, orphans: 0, scratch: 0 };

/** The names of all stored files. */
export function storedFiles({ dataDir }: { dataDir: string }): string[] {
  return namesIn(join(dataDir, 'files'))
    .flatMap((folder) => namesIn(join(dataDir, 'files', folder)))
    .sort();
}

/** The names of the working folders in `DATA_DIR/tmp`. Each belongs to work that is in progress or was interrupted. */
export function scratchFiles({ dataDir }: { dataDir: string }): string[] {
  return namesIn(join(dataDir, 'tmp'));
}

/**
 * Returns whether the file with this address exists. Asserts that the server answers 200 if the file exists, and
 * another status if it does not exist.
 */
export async function isServed(server: TestServer, url: string): Promise<boolean> {
  const exists = storedFiles(server).includes(basename(url));
  expect((await server.nobody.get(`~${new URL(url).pathname}`)).status === 200).toBe(exists);
  return exists;
}

/** The path of the stored file with this address. */
export function pathOf({ dataDir }: { dataDir: string }, url: string): string {
  return join(dataDir, 'files', basename(url).slice(0, 2), basename(url));
}

/** The bytes of the stored files with these addresses. */
export function filesBehind<Urls extends readonly string[]>(
  server: { dataDir: string },
  ...urls: Urls
): { [K in keyof Urls]: Buffer } {
  return urls.map((url) => readFileSync(pathOf(server, url))) as { [K in keyof Urls]: Buffer };
}

/**
 * Runs the sweep as if `hours` had passed. With more than one hour, the sweep also deletes unused files that were
 * created just now. With more than 24 hours, this includes derived files (`DERIVED` in storage/media-key.ts).
 */
export function sweep(server: TestServer, hours = 2): Promise<JobResult> {
  const now = new Date(Date.now() + hours * 60 * 60 * 1000);
  return server.app.get(MediaSweepJob).run({ now, signal: new AbortController().signal });
}

/** SQL that lists the foreign keys to `media_files`: the table (`place`) and the column (`key`). */
const REFERENCES = `
  SELECT conrelid::regclass::text AS place, attname AS key
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
   WHERE contype = 'f' AND confrelid = 'media_files'::regclass`;

/**
 * A line for each disagreement between files and rows: a missing file; a file to which no row refers; a row of
 * `media_files` that does not have the state `kept`, or to which no row of another table refers.
 */
export async function disagreements(server: TestServer): Promise<string[]> {
  const rows = await server.sql<{ key: string; state: string }>('SELECT key, state FROM media_files');
  const places = await server.sql<{ place: string; key: string }>(REFERENCES);
  const referred = await server.sql<{ key: string }>(
    places.map(({ place, key }) => `SELECT ${key} AS key FROM ${place} WHERE ${key} IS NOT NULL`).join(' UNION ALL '),
  );
  const expected = new Set(referred.flatMap(({ key }) => filesOf(key)));
  const stored = new Set(storedFiles(server));
  return [
    ...[...expected].filter((file) => !stored.has(file)).map((file) => `missing ${file}`),
    ...[...stored].filter((file) => !expected.has(file)).map((file) => `left over ${file}`),
    ...rows
      .filter(({ key, state }) => state !== 'kept' || !expected.has(key))
      .map(({ key, state }) => `${state} row ${key}`),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
