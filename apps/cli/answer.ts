import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { asOperator } from '#platform/audit/operator';
import { loadSettings } from '#platform/config/load-settings';
import { type Settings } from '#platform/config/settings';
import { print } from './print';
import { StderrLogger } from './stderr-logger';
import { CliModule } from './cli.module';
import { terminal } from './terminal';

/**
 * Opens the service without its HTTP server, runs the work, prints the result as one JSON document, and closes the
 * service. The command works with or without a running server. Without DATABASE_URL, the command uses the embedded
 * database, and starts this database if it is not running.
 */
export async function answer(
  work: (app: INestApplicationContext) => Promise<unknown>,
  overrides: Partial<Settings> = {},
): Promise<void> {
  const app = await NestFactory.createApplicationContext(
    CliModule.with({ ...loadSettings(terminal().environment), ...overrides }),
    {
      logger: new StderrLogger(),
      abortOnError: false,
    },
  );
  try {
    await print(await asOperator(terminal().operator, () => work(app)));
  } finally {
    await app.close();
  }
}
