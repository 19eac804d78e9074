import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEEN_FOLDER } from './documented-codes';
import type { TestCluster } from './test-cluster';
import { ADMIN_URL, openTestCluster, TEMPLATE } from './test-cluster';

declare global {
  // The way from jest's setup to its teardown: both run in one process.
  var testCluster: TestCluster | undefined;
}

module.exports = async function startCluster(): Promise<void> {
  // What the build takes along, and sources have to have made: the scripts of /docs.
  execFileSync(process.execPath, [join(__dirname, '../../scripts/reference-bundle.mjs')]);
  globalThis.testCluster = await openTestCluster();
  process.env[ADMIN_URL] = globalThis.testCluster.adminUrl;
  process.env[SEEN_FOLDER] = mkdtempSync(join(tmpdir(), 'events-seen-'));
  process.env[TEMPLATE] = globalThis.testCluster.template;
};
