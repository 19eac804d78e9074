import { rmSync } from 'node:fs';
import { CODES_FOLDER_VARIABLE } from './documented-codes';
import { SDK_FOLDER_VARIABLE } from './sdk-package';

module.exports = async function tearDown(): Promise<void> {
  for (const variable of [CODES_FOLDER_VARIABLE, SDK_FOLDER_VARIABLE])
    rmSync(process.env[variable] ?? '', { recursive: true, force: true });
  await globalThis.testCluster?.close();
  if (globalThis.runFolder) rmSync(globalThis.runFolder, { recursive: true, force: true });
};
