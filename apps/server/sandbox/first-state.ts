import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxDatabase } from './sandbox-database';
import type { SandboxPeople } from './sandbox-people';
import { storeState } from './stored-state';

/** The subfolder for the files of the first state (the state after each reset). */
export const FIRST_FILES = 'first';
const ACCOUNTS = 'accounts.json';

/** Creates the first state (a database and files) in `folder`, and stores a copy for later starts of the sandbox. */
export async function makeFirstState(
  folder: string,
  prepare: (database: SandboxDatabase) => Promise<SandboxPeople>,
): Promise<void> {
  const database = await SandboxDatabase.make(folder);
  try {
    writeFileSync(join(folder, ACCOUNTS), JSON.stringify(await prepare(database)));
    await database.addSpareCopy();
  } finally {
    await database.close();
  }
  await storeState(folder).catch((error: Error) =>
    process.stderr.write(`The prepared sandbox could not be stored: ${error.message}\n`),
  );
}

/** The accounts in the first state. */
export function accountsIn(folder: string): SandboxPeople {
  return JSON.parse(readFileSync(join(folder, ACCOUNTS), 'utf8')) as SandboxPeople;
}
