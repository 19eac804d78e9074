import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Database } from '#platform/database/database';

/** The parts of a running test server that functions such as `buildEvent` need. */
export interface Host {
  readonly app: NestFastifyApplication;
  readonly origin: string;
  readonly database: Database;
}
