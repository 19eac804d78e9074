import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readSettings } from '#platform/config/settings';
import { API, newAdapter, PROBES } from './server.setup';
import { openApiDocument } from './reference';
import { ServerModule } from './server.module';

/** Prints the OpenAPI document of the build; nothing is started for it, no database either. */
async function main(): Promise<void> {
  const settings = readSettings({ LOG_LEVEL: 'silent' });
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule.with(settings), newAdapter(settings), { preview: true, logger: false, abortOnError: false });
  app.setGlobalPrefix(API, { exclude: PROBES });
  process.stdout.write(`${JSON.stringify(openApiDocument(app), null, 2)}\n`);
}

void main();
