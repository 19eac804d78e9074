import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Only relative imports work here: jest does not apply its module mapping to globalSetup.
import { Ffmpeg } from '../platform/media/ffmpeg';
import { CODES_FOLDER_VARIABLE } from './documented-codes';
import { SDK_FOLDER_VARIABLE } from './sdk-package';
import type { TestCluster } from './test-cluster';
import { ADMIN_URL, openTestCluster, TEMPLATE } from './test-cluster';

declare global {
  // Jest's setup sets these variables for its teardown; both run in one process.
  var testCluster: TestCluster | undefined;
  var runFolder: string | null | undefined;
}

/** Minimum free space in memory. A run of all tests never uses more than half of this space at one time. */
const MIN_FREE_BYTES = 3 * 1024 ** 3;
const MEMORY_FOLDER = '/dev/shm';
const RUN_FOLDER = /^events-tests-run-(\d+)$/;

/**
 * Creates a temporary folder in memory for this run. Returns null if /dev/shm does not exist, is not in memory (tmpfs),
 * has too little space, or forbids running programs. Copying the template database takes 40 ms in memory and 700 ms on
 * a disk, because a database consists of a thousand small files. Also removes the folders of runs that were killed.
 */
function folderInMemory(): string | null {
  try {
    const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1]?.split(',');
    for (const name of readdirSync(MEMORY_FOLDER)) {
      const pid = RUN_FOLDER.exec(name)?.[1];
      if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(MEMORY_FOLDER, name), { recursive: true, force: true });
    }
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (!options || options.includes('noexec') || bavail * bsize < MIN_FREE_BYTES) return null;
    const folder = join(MEMORY_FOLDER, `events-tests-run-${process.pid}`);
    mkdirSync(folder);
    return folder;
  } catch {
    return null;
  }
}

module.exports = async function startCluster(): Promise<void> {
  const ffmpeg = await new Ffmpeg({ ffmpegPath: process.env.FFMPEG_PATH ?? null, production: false }).program();
  console.log(
    ffmpeg === null
      ? 'The tests have no ffmpeg.'
      : `The tests use ffmpeg ${ffmpeg.version} (${ffmpeg.source}): ${ffmpeg.path}`,
  );
  // Jest's workers and the processes that tests start inherit TMPDIR. Node reads TMPDIR at each call of `tmpdir()`.
  if (!process.env['TMPDIR']) {
    const folder = folderInMemory();
    if (folder !== null) process.env['TMPDIR'] = folder;
    globalThis.runFolder = folder;
  }
  globalThis.testCluster = await openTestCluster();
  process.env[ADMIN_URL] = globalThis.testCluster.adminUrl;
  process.env[CODES_FOLDER_VARIABLE] = mkdtempSync(join(tmpdir(), 'events-seen-'));
  process.env[SDK_FOLDER_VARIABLE] = mkdtempSync(join(tmpdir(), 'events-sdk-once-'));
  process.env[TEMPLATE] = globalThis.testCluster.template;
};
