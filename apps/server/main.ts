import { StartupError } from '#platform/config/startup-error';
import { Clock } from '#platform/time/clock';
import { banner } from './banner';
import { demoToken } from './demo/demo';
import { createServer, open, type Server } from './server';

/** Started by scripts/start.mjs, which has made sure that the build is there. */
async function main(): Promise<void> {
  let server: Server | undefined;
  try {
    server = await createServer();
    await open(server);
    if (server.settings.production) return;
    const token = server.settings.demoData ? await demoToken(server.app) : null;
    process.stdout.write(banner(server.settings, token, server.app.get(Clock).now()));
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    await server?.app.close();
    // What a start had opened before it failed (Redis, say) would keep the process.
    process.exit(1);
  }
}

void main();
