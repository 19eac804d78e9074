import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Database } from '#platform/database/database';

/** A running test server, as far as those who make people and events need it. */
export interface Host {
  readonly app: NestFastifyApplication;
  readonly origin: string;
  readonly database: Database;
}
