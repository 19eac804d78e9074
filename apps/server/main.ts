import { loadSettings, type Settings } from '#platform/config/settings';
import { StartupError } from '#platform/config/startup-error';
import { freePort } from '#platform/net/free-port';
import { thisWorker } from '#platform/workers/worker';
import { cannotListen } from './cannot-listen';

/** Starts the server. With `npm start`, scripts/start.mjs builds the server if necessary, and then runs this file. */
async function main(): Promise<void> {
  try {
    const settings = await settingsWithPort();
    // Modules are loaded only where they are needed: with several workers, the primary process does not load the
    // service; a single process and the workers do not load the code that starts workers.
    if (!thisWorker() && settings.workers > 1)
      return await (await import('#apps/server/workers/run-workers')).runWorkers(settings);
    await (await import('#apps/server/serve')).serve();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Resources that were opened before the error (such as a connection to Redis) would keep the process running.
    process.exit(1);
  }
}

/** Replaces port 0 by the number of a free port, because links contain the port. Workers inherit `PORT`. */
async function settingsWithPort(): Promise<Settings> {
  const settings = loadSettings();
  if (settings.port !== 0) return settings;
  const port = await freePort(settings.host).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen('PORT', 0, settings.host, error);
  });
  process.env.PORT = String(port);
  return loadSettings();
}

void main();
