import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxDatabase } from './sandbox-database';
import type { SandboxPeople } from './sandbox-people';
import { storeState } from './stored-state';

/** The folder of the files of the first state, in the sandbox's folder. */
export const FIRST_FILES = 'first';
const ACCOUNTS = 'accounts.json';

/** Fills `folder` with the first state, a database and files, and stores a copy for later starts. */
export async function makeFirstState(
  folder: string,
  prepare: (database: SandboxDatabase) => Promise<SandboxPeople>,
): Promise<void> {
  const database = await SandboxDatabase.make(folder);
  try {
    writeFileSync(join(folder, ACCOUNTS), JSON.stringify(await prepare(database)));
    await database.addSpare();
  } finally {
    await database.close();
  }
  await storeState(folder).catch((error: Error) =>
    process.stderr.write(`The prepared sandbox could not be stored: ${error.message}\n`),
  );
}

/** The accounts of the first state. */
export function accountsIn(folder: string): SandboxPeople {
  return JSON.parse(readFileSync(join(folder, ACCOUNTS), 'utf8')) as SandboxPeople;
}
