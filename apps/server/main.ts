import { loadSettings } from '#platform/config/load-settings';
import { type Settings } from '#platform/config/settings';
import { StartupError } from '#platform/config/startup-error';
import { freePort } from '#platform/net/free-port';
import { thisWorker } from '#platform/workers/worker';
import { cannotListen } from './cannot-listen';

/** Starts the server. With `npm start`, scripts/start.mjs builds the server if necessary, and then runs this file. */
async function main(): Promise<void> {
  try {
    const settings = thisWorker() ? loadSettings() : await settingsWithFreePorts();
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

/**
 * Throws if a port is in use, so that the start fails before it changes the database (OPS-84). Replaces port 0 by the
 * number of a free port, because links contain the port. Workers inherit `PORT`.
 */
async function settingsWithFreePorts(): Promise<Settings> {
  const { host, port, metricsPort } = loadSettings();
  const check = (setting: 'PORT' | 'METRICS_PORT', number: number): Promise<number> =>
    freePort(host, number).catch((error: NodeJS.ErrnoException) => {
      throw cannotListen(setting, number, host, error);
    });
  process.env.PORT = String(await check('PORT', port));
  if (metricsPort !== null) await check('METRICS_PORT', metricsPort);
  return loadSettings();
}

void main();
