import { loadSettings } from '#platform/config/settings';
import { StartupError } from '#platform/config/startup-error';
import { lazily } from '#platform/loading/lazily';
import { thisWorker } from '#platform/workers/worker';

// The primary process needs nothing of the server, and a single server nothing of the primary.
const server = lazily<typeof import('./serve')>(__filename, './serve');
const workers = lazily<typeof import('./workers/run-workers')>(__filename, './workers/run-workers');

/** Started by scripts/start.mjs, which has made sure that the build exists. */
async function main(): Promise<void> {
  try {
    const settings = loadSettings();
    if (!thisWorker() && settings.workers > 1) return await workers().runWorkers(settings);
    await server().serve();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Resources opened before a failed start (such as Redis) would keep the process running.
    process.exit(1);
  }
}

void main();
