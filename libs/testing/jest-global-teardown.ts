import { rmSync } from 'node:fs';
import { SEEN_FOLDER } from './documented-codes';

module.exports = async function tearDown(): Promise<void> {
  rmSync(process.env[SEEN_FOLDER] ?? '', { recursive: true, force: true });
  await globalThis.testCluster?.close();
  if (globalThis.runFolder) rmSync(globalThis.runFolder, { recursive: true, force: true });
};
