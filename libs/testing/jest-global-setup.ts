import { mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Relative imports only: jest's globalSetup runs outside of jest's module mapping, without a build.
import { Ffmpeg } from '../platform/media/ffmpeg';
import { SEEN_FOLDER } from './documented-codes';
import type { TestCluster } from './test-cluster';
import { ADMIN_URL, openTestCluster, TEMPLATE } from './test-cluster';

declare global {
  // The way from jest's setup to its teardown: both run in one process.
  var testCluster: TestCluster | undefined;
}

/** The largest run needs about half of it. */
const ROOM_BYTES = 3 * 1024 ** 3;

/**
 * Linux's folder in memory, where it has room and may hold programs. Copying the template takes 40 ms there instead of 700:
 * a database is a thousand small files.
 */
function memoryFolder(): string | null {
  try {
    const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1];
    if (!options || options.split(',').includes('noexec')) return null;
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= ROOM_BYTES ? '/dev/shm' : null;
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
  // Workers and the processes that tests start inherit it. Node reads it at each call of `tmpdir()`.
  process.env['TMPDIR'] ??= memoryFolder() ?? tmpdir();
  globalThis.testCluster = await openTestCluster();
  process.env[ADMIN_URL] = globalThis.testCluster.adminUrl;
  process.env[SEEN_FOLDER] = mkdtempSync(join(tmpdir(), 'events-seen-'));
  process.env[TEMPLATE] = globalThis.testCluster.template;
};
