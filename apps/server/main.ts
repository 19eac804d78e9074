import { loadSettings } from '#platform/config/settings';
import { StartupError } from '#platform/config/startup-error';
import { lazily } from '#platform/loading/lazily';
import { thisWorker } from '#platform/workers/worker';

// Whoever only starts others has no need of what a server is made of; a server alone, none of what starts others.
const server = lazily<typeof import('./serve')>(__filename, './serve');
const workers = lazily<typeof import('./workers/run-workers')>(__filename, './workers/run-workers');

/** Started by scripts/start.mjs, which has made sure that the build is there. */
async function main(): Promise<void> {
  try {
    const settings = loadSettings();
    if (!thisWorker() && settings.workers > 1) return await workers().runWorkers(settings);
    await server().serve();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // What a start had opened before it failed (Redis, say) would keep the process.
    process.exit(1);
  }
}

void main();
