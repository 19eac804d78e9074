import { Logger } from '@nestjs/common';
import pg, { Client, type ClientConfig } from 'pg';
import type { DataSourceOptions, Logger as TypeOrmLogger } from 'typeorm';
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '#platform/config/settings';

/** Milliseconds. A connection keeps the plans of its statements: a new one makes whoever gets it wait for tens of milliseconds. */
const IDLE_CONNECTION = 300_000;

/** A client in use has no error listener of its own: a database restart would end the process. The pool drops it anyway. */
class SturdyClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** TypeORM takes pg-native by itself where it is installed, and that one corrupts Buffer parameters. */
const PLAIN_PG: unknown = Object.create(pg, { native: { value: undefined } });

/** TypeORM's own logger writes to stdout, where the command line's answer belongs. Failures are thrown, so they need no line here. */
class WarningsOnly implements TypeOrmLogger {
  private readonly nest = new Logger('TypeORM');

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    if (level === 'warn') this.nest.warn(message);
  }
  logQuery(): void {}
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
}

/**
 * Statements are short and their data is in memory: no time for compilation or helpers, and an index is not as far away as on a
 * turning disk.
 */
const SESSION = '-c TimeZone=UTC -c DateStyle=ISO -c jit=off -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1';

/** A connection that nobody uses was ended: the pool replaces it. What cannot be answered is reported where it was asked. */
const ignoreIdleClients = (): void => undefined;

/**
 * A statement is planned once a connection, for all values. Left to itself PostgreSQL compares the cost of such a plan with what it
 * guesses for the values at hand, and may plan anew at every execution: at a million events a page of Discover was planned for
 * 3.5 ms to run for 1.5. What needs another plan for other values is another statement (docs/adr/0003-named-sql.md).
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan';

/** How requests talk to the database: a pool of `pool` connections, impatient in every respect. */
export function requestOptions(url: string, pool: number, timeouts: DatabaseTimeouts = DATABASE_TIMEOUTS): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    driver: PLAIN_PG,
    logger: new WarningsOnly(),
    applicationName: 'events',
    poolSize: pool,
    connectTimeoutMS: timeouts.connect,
    extra: {
      Client: SturdyClient,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      idleTimeoutMillis: IDLE_CONNECTION,
      statement_timeout: timeouts.statement,
      lock_timeout: timeouts.lock,
      idle_in_transaction_session_timeout: timeouts.idleInTransaction,
      options: `${SESSION} ${PLANNED_ONCE}`,
    },
    poolErrorHandler: ignoreIdleClients,
    synchronize: false,
    migrationsRun: false,
  };
}

/** How migrations talk to it: one statement may take as long as it needs. */
export function migrationOptions(url: string, migrations: readonly (new () => object)[]): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    driver: PLAIN_PG,
    logger: new WarningsOnly(),
    applicationName: 'events-migrate',
    poolSize: 2,
    connectTimeoutMS: 10_000,
    extra: { Client: SturdyClient, keepAlive: true, options: SESSION },
    poolErrorHandler: ignoreIdleClients,
    migrations: [...migrations],
    migrationsTransactionMode: 'each',
  };
}
