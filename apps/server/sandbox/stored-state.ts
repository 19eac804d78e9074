import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
 * complete copies of other builds and days are removed before the rename. If another sandbox has stored the same state
 * in the meantime, its copy is kept.
 */
export async function storeState(folder: string, stored = pathForToday()): Promise<void> {
  const cache = dirname(stored);
  mkdirSync(cache, { recursive: true });
  const draft = `${stored}.draft-${process.pid}`;
  // A process with the same id may have ended before it renamed its draft.
  rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft);
    await copy(folder, draft);
    const isOther = (name: string): boolean => !name.includes('.draft-') && name !== basename(stored);
    for (const name of readdirSync(cache).filter(isOther)) rmSync(join(cache, name), { recursive: true, force: true });
    renameSync(draft, stored);
  } catch (error) {
    if (!existsSync(stored)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
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
