import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readSettings } from '#platform/config/settings';
import { API } from './paths';
import { newAdapter } from './server.setup';
import { apiDocument } from './document/document';
import { ServerModule } from './server.module';

/** The file must not depend on the day: its examples are far in the future. */
const FAR_AHEAD = new Date('2035-03-01T00:00:00Z');

/** Prints the OpenAPI document of the build, without starting the service or a database. */
async function main(): Promise<void> {
  const settings = readSettings({ LOG_LEVEL: 'silent' });
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule.with(settings), newAdapter(settings), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  // A preview creates no modules, so the prefix of RouterModule is missing.
  app.setGlobalPrefix(API);
  process.stdout.write(`${JSON.stringify(apiDocument(app, { baseUrl: null, now: FAR_AHEAD }), null, 2)}\n`);
}

void main();
