import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Clock } from '#platform/time/clock';
import { SandboxDatabase } from './sandbox-database';
import type { SandboxPeople } from './sandbox-people';

/** The folder of the files of the first state, in the sandbox's folder. */
export const FIRST_FILES = 'first';
const ACCOUNTS = 'accounts.json';

const DIST = join(__dirname, '../../..');
/** Next to dist/, like other caches of the checkout. */
const CACHE = join(DIST, '..', '.cache', 'sandbox');

/**
 * Fills `folder` with the first state: a database and files. It is prepared once for each build and day, since the demo's times are
 * relative to the day, and copied by later starts.
 */
export async function openFirstState(
  folder: string,
  prepare: (database: SandboxDatabase) => Promise<SandboxPeople>,
): Promise<SandboxPeople> {
  const prepared = join(CACHE, keyOfToday());
  if (existsSync(prepared)) await copy(prepared, folder);
  else {
    const database = await SandboxDatabase.make(folder);
    try {
      writeFileSync(join(folder, ACCOUNTS), JSON.stringify(await prepare(database)));
    } finally {
      await database.close();
    }
    await store(folder, prepared).catch((error: Error) =>
      process.stderr.write(`The prepared sandbox could not be stored: ${error.message}\n`),
    );
  }
  return JSON.parse(readFileSync(join(folder, ACCOUNTS), 'utf8')) as SandboxPeople;
}

function keyOfToday(): string {
  const stamp = join(DIST, '.stamp');
  const build = existsSync(stamp) ? readFileSync(stamp, 'utf8').trim().slice(0, 16) : 'unknown';
  return `${build}-${new Clock().now().toISOString().slice(0, 10)}`;
}

/** The rename makes the copy visible as a whole. Copies of other builds and days are removed. */
async function store(folder: string, prepared: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const draft = `${prepared}.draft-${process.pid}`;
  mkdirSync(draft);
  await copy(folder, draft);
  for (const other of readdirSync(CACHE).filter((name) => !name.includes('.draft-')))
    rmSync(join(CACHE, other), { recursive: true, force: true });
  renameSync(draft, prepared);
}

/** With owners: PostgreSQL runs under another account when this process is root's. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}
