import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Clock } from '#platform/time/clock';

const DIST = join(__dirname, '../../..');
/**
 * The folder with stored copies of the first state: the state in which a new sandbox starts. It is next to dist/, like
 * other caches of the checkout.
 */
const CACHE = join(DIST, '..', '.cache', 'sandbox');

/**
 * If a first state is stored for this build and this day (in UTC), copies it into `folder` and returns true. Otherwise
 * returns false. A state is valid for one day, because the times in the demo are relative to the day. This file imports
 * few modules, so that the copying can begin before the other modules of the service are loaded.
 */
export async function copyStoredState(folder: string): Promise<boolean> {
  const stored = pathForToday();
  if (!existsSync(stored)) return false;
  await copy(stored, folder);
  return true;
}

/**
 * Stores a copy of `folder`, which contains the first state. A rename makes the complete copy visible in one step. All
 * other complete copies are removed before the rename.
 */
export async function storeState(folder: string): Promise<void> {
  const stored = pathForToday();
  mkdirSync(CACHE, { recursive: true });
  const draft = `${stored}.draft-${process.pid}`;
  // A process with the same id may have ended before it renamed its draft.
  rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft);
    await copy(folder, draft);
    for (const other of readdirSync(CACHE).filter((name) => !name.includes('.draft-')))
      rmSync(join(CACHE, other), { recursive: true, force: true });
    renameSync(draft, stored);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

function pathForToday(): string {
  const stamp = join(DIST, '.stamp');
  const build = existsSync(stamp) ? readFileSync(stamp, 'utf8').trim().slice(0, 16) : 'unknown';
  return join(CACHE, `${build}-${new Clock().now().toISOString().slice(0, 10)}`);
}

/**
 * Copies a folder. Each copied file keeps its owner: if root runs this process, PostgreSQL runs under another account
 * and must own its files.
 */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}
