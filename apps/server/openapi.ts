import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readSettings } from '#platform/config/load-settings';
import { API } from '#platform/http/paths';
import { newAdapter } from './server.setup';
import { apiDocument } from './document/document';
import { ServerModule } from './server.module';

/**
 * The current time for the examples. It is fixed, so that the printed document is the same every day. It is far in the
 * future, so that upcoming events in the examples do not become past events.
 */
const FAR_AHEAD = new Date('2035-03-01T00:00:00Z');

/** Prints the OpenAPI document of this build without starting the service or a database. */
async function main(): Promise<void> {
  const settings = readSettings({ LOG_LEVEL: 'silent' });
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule.with(settings), newAdapter(settings), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  // Nest's preview mode creates no modules, so the prefix of RouterModule is added here.
  app.setGlobalPrefix(API);
  process.stdout.write(`${JSON.stringify(apiDocument(app, { baseUrl: null, now: FAR_AHEAD }), null, 2)}\n`);
}

void main();
