import { Clock } from '#platform/time/clock';
import { MESSAGES } from '#platform/workers/messages';
import { thisWorker } from '#platform/workers/worker';
import { banner } from './banner';
import { createServer, open, type Server } from './server';

/**
 * Starts the server of this process. The server serves requests until the process gets a signal to stop.
 *
 * If an error occurs after the application was created, closes the application and throws the error again.
 */
export async function serve(): Promise<void> {
  const worker = thisWorker();
  const server = await createServer();
  try {
    const access = server.settings.demoData ? await loadDemo(server) : { token: null, signIn: null };
    await open(server);
    await worker?.primary.ask(MESSAGES.started);
    // Outside production, the banner is printed once: by the single process, or by worker 0 at its first start.
    if (server.settings.production || worker?.isReplacement || (worker && worker.number > 0)) return;
    process.stdout.write(banner(server.settings, access, server.app.get(Clock).now()));
  } catch (error) {
    await server.app.close();
    throw error;
  }
}

/** Loads the demo into an empty database. Returns the access of the demo user, for the banner. */
async function loadDemo({ app }: Server): Promise<Parameters<typeof banner>[1]> {
  const demo = await import('#apps/server/demo/demo');
  await demo.loadDemo(app);
  return { token: await demo.demoToken(app), signIn: await demo.demoSignIn(app) };
}
