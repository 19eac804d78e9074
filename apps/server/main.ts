import { StartupError } from '#platform/config/startup-error';
import { createServer, open } from './server';

/** Started by scripts/start.mjs, which has made sure that the build is there. */
async function main(): Promise<void> {
  try {
    const server = await createServer();
    await open(server);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

void main();
