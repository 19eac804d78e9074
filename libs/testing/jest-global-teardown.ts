import { rmSync } from 'node:fs';
import { CODES_FOLDER_VARIABLE } from './documented-codes';

module.exports = async function tearDown(): Promise<void> {
  rmSync(process.env[CODES_FOLDER_VARIABLE] ?? '', { recursive: true, force: true });
  await globalThis.testCluster?.close();
  if (globalThis.runFolder) rmSync(globalThis.runFolder, { recursive: true, force: true });
};
