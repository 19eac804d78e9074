import { createRequire } from 'node:module';
import { loadSettings } from '#platform/config/settings';
import { StartupError } from '#platform/config/startup-error';
import { thisWorker } from '#platform/workers/worker';
import { runWorkers } from './workers/run-workers';

/** Started by scripts/start.mjs, which has made sure that the build is there. */
async function main(): Promise<void> {
  try {
    const settings = loadSettings();
    if (!thisWorker() && settings.workers > 1) return await runWorkers(settings);
    // Whoever only starts others has no need of what a server is made of.
    const { serve } = createRequire(__filename)('./serve') as typeof import('./serve');
    await serve();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // What a start had opened before it failed (Redis, say) would keep the process.
    process.exit(1);
  }
}

void main();
