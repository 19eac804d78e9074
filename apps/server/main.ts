import { loadSettings } from '#platform/config/settings';
import { StartupError } from '#platform/config/startup-error';
import { thisWorker } from '#platform/workers/worker';

/** Started by scripts/start.mjs, which builds first if necessary. */
async function main(): Promise<void> {
  try {
    const settings = loadSettings();
    // A primary process loads nothing of the service, and a single server nothing of the workers.
    if (!thisWorker() && settings.workers > 1)
      return await (await import('#apps/server/workers/run-workers')).runWorkers(settings);
    await (await import('#apps/server/serve')).serve();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Resources opened before a failed start (such as Redis) would keep the process running.
    process.exit(1);
  }
}

void main();
