import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '#platform/config/startup-error';
import { STOP_SIGNALS } from '#platform/workers/worker';
import type { Sandbox } from './sandbox';
import { raiseLimits } from './sandbox-limits';
import { copyStoredState } from './stored-state';

/**
 * scripts/start.mjs runs this file. With the argument `--limits`, the real limits apply. The sandbox prints its
 * address, tokens and people as one line of JSON to stdout.
 */
async function main(): Promise<void> {
  let sandbox: Sandbox | null = null;
  let isEnding = false;
  // A signal during the start takes effect when the start has finished, because PostgreSQL must be stopped before the
  // folder can be removed. A second signal must not interrupt the removal of the folder.
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      if (isEnding) return;
      isEnding = true;
      if (sandbox) void end(sandbox);
    });
  try {
    if (process.env.NODE_ENV === 'production')
      throw new StartupError('The sandbox is for development: it does not start with NODE_ENV=production.');
    const unknown = process.argv.slice(2).filter((argument) => argument !== '--limits');
    if (unknown.length > 0)
      throw new StartupError(`Usage: npm run sandbox [-- --limits] (unknown: ${unknown.join(' ')})`);
    const hasRealLimits = process.argv.includes('--limits');
    // The limits must be raised before any module reads them.
    if (!hasRealLimits) raiseLimits();
    sandbox = await start(hasRealLimits);
    if (isEnding) return await end(sandbox);
    process.stdout.write(`${JSON.stringify(sandbox.description)}\n`);
  } catch (error) {
    // Ctrl-C also ends the process that copies the stored state, so the start fails.
    if (isEnding) process.exit(0);
    process.stderr.write(`${error instanceof StartupError ? error.message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}

async function end(sandbox: Sandbox): Promise<void> {
  await sandbox.end();
  process.exit(0);
}

/**
 * Starts the sandbox in a new temporary folder. Loading the service's modules takes seconds. During this time, a stored
 * copy of the state in which a new sandbox starts (stored-state.ts) is copied into the folder, if such a copy exists.
 */
async function start(hasRealLimits: boolean): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'events-sandbox-'));
  try {
    const stored = copyStoredState(folder);
    // Prevents an unhandled rejection: `Sandbox.start` awaits the promise later, and then throws the error.
    stored.catch(() => undefined);
    const { Sandbox } = await import('#apps/server/sandbox/sandbox');
    return await Sandbox.start({ hasRealLimits, port: process.env.PORT, folder, stored });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

void main();
