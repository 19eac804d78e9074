import { createServer } from './server';

/** Started by scripts/start.mjs, which has made sure that the build is there. */
async function main(): Promise<void> {
  const { app, settings } = await createServer();
  await app.listen(settings.port, settings.host);
}

void main();
