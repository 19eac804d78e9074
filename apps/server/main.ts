import { loadSettings } from '#platform/config/settings';
import { StartupError } from '#platform/config/startup-error';
import { thisWorker } from '#platform/workers/worker';

/** Starts the server. With `npm start`, scripts/start.mjs builds the server if necessary, and then runs this file. */
async function main(): Promise<void> {
  try {
    const settings = loadSettings();
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

void main();
