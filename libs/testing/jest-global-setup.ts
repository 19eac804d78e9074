import { mkdtempSync } from 'node:fs';
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

module.exports = async function startCluster(): Promise<void> {
  const ffmpeg = await new Ffmpeg({ ffmpegPath: process.env.FFMPEG_PATH ?? null, production: false }).program();
  console.log(
    ffmpeg === null
      ? 'The tests have no ffmpeg.'
      : `The tests use ffmpeg ${ffmpeg.version} (${ffmpeg.source}): ${ffmpeg.path}`,
  );
  globalThis.testCluster = await openTestCluster();
  process.env[ADMIN_URL] = globalThis.testCluster.adminUrl;
  process.env[SEEN_FOLDER] = mkdtempSync(join(tmpdir(), 'events-seen-'));
  process.env[TEMPLATE] = globalThis.testCluster.template;
};
