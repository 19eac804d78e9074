import { Logger } from '@nestjs/common';
import pg, { Client, type ClientConfig, type PoolConfig } from 'pg';
import type { DataSourceOptions, Logger as TypeOrmLogger } from 'typeorm';
import { databaseAddress } from '#platform/config/database-address';
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '#platform/config/settings';
import { Pipeline } from './pipeline';
import { ServerClient } from './server-client';
import { ResilientClient } from './resilient-client';

/**
 * Nest's token for the data source whose connections hold the locks of jobs. A lock holds a connection until its job
 * ends, so these connections go to PostgreSQL directly, even if requests use a pooler.
 */
export const DIRECT_DATA_SOURCE = Symbol('DIRECT_DATA_SOURCE');

/**
 * Milliseconds after which an unused connection is closed. The time is long, because a connection caches the plans of
 * its statements: on a new connection the first statements take tens of milliseconds longer.
 */
const IDLE_CONNECTION_MS = 300_000;

/**
 * The timeouts as settings of PostgreSQL. With a pooler they must be sent in every transaction, because a pooler gives
 * the same session to different clients.
 */
function timeoutSettings({ statement, lock, idleInTransaction }: DatabaseTimeouts): Record<string, number> {
  return { statement_timeout: statement, lock_timeout: lock, idle_in_transaction_session_timeout: idleInTransaction };
}

/** The client waits for a response this number of milliseconds longer than the statement timeout. */
const RESPONSE_MARGIN_MS = 1_000;

/**
 * Statements are short and their data is in memory, so JIT and parallel workers cost more time than they save, and
 * random reads are cheap. `work_mem` is in KB: at ten million events, the bitmap of a search for a common word fits in
 * 32 MB. For a bitmap that does not fit, PostgreSQL checks the text of every event again (120 seconds instead of 2).
 */
const PLANNING = { jit: 'off', max_parallel_workers_per_gather: 0, random_page_cost: 1.1, work_mem: 32_768 } as const;

/**
 * Session settings that a pooler stores for each client, and applies to every session of PostgreSQL that the client
 * gets.
 */
const POOLER_SETTINGS = { TimeZone: 'UTC', DateStyle: 'ISO' } as const;

/** The text of the statement that begins a transaction. */
export const START_TRANSACTION = 'START TRANSACTION';

interface HasStartupConf {
  getStartupConf(): Record<string, string>;
}
type QueryMethod = (...statement: unknown[]) => unknown;

/**
 * A client of a pooler. The pooler is in transaction mode, in which connections have no state between transactions,
 * except `POOLER_SETTINGS`. Statements are therefore not prepared under a name, and the timeouts and `PLANNING` are
 * sent at the beginning of every transaction. A statement outside a transaction has only `query_timeout`, unless the
 * pooler sets the other timeouts (docs/operating/scaling.md).
 */
function pooledClient(timeouts: DatabaseTimeouts): typeof Client {
  /** START TRANSACTION and the settings after it are sent in one network message. */
  const start = [
    START_TRANSACTION,
    ...Object.entries({ ...timeoutSettings(timeouts), ...PLANNING }).map(
      ([name, value]) => `SET LOCAL ${name} = ${value}`,
    ),
  ];
  const replacement = (text: string): string[] => (text === START_TRANSACTION ? start : [text]);

  return class extends ServerClient {
    constructor(config?: string | ClientConfig) {
      super(config);
      const query = this.query.bind(this) as unknown as QueryMethod;
      this.query = ((statement: unknown, ...rest: unknown[]) => {
        if (statement instanceof Pipeline) statement.withoutNames(replacement);
        return query(withoutName(statement), ...rest);
      }) as unknown as typeof this.query;
    }

    /** Returns only start-up parameters that poolers accept. */
    getStartupConf(): Record<string, string> {
      return { ...(Client.prototype as unknown as HasStartupConf).getStartupConf.call(this), ...POOLER_SETTINGS };
    }
  };
}

function withoutName(statement: unknown): unknown {
  const isNamed =
    typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement);
  return isNamed ? { ...statement, name: undefined } : statement;
}

/** TypeORM would use pg-native if it were installed, and pg-native corrupts Buffer parameters. */
const PG_WITHOUT_NATIVE: unknown = Object.create(pg, { native: { value: undefined } });

/**
 * TypeORM's own logger is disabled, because it writes to stdout. The stdout of the command line must contain only
 * results. This logger writes only warnings. Failures are thrown, so they need no log line.
 */
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

const SESSION = Object.entries({ ...POOLER_SETTINGS, ...PLANNING })
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/**
 * The error of an idle connection is ignored, because the pool replaces the connection. Errors of queries are thrown to
 * their callers.
 */
const ignoreIdleErrors = (): void => undefined;

/**
 * With this setting, PostgreSQL plans a statement once per connection, for all values. By default, PostgreSQL compares
 * the estimated cost of this generic plan with the cost of plans for the current values, and may then plan again at
 * every execution. With the default and a million events, a page of Discover took 3.5 ms to plan and 1.5 ms to run. For
 * values that need a different plan, there is a separate statement (docs/adr/0003-named-sql-and-entities.md).
 */
const GENERIC_PLANS = '-c plan_cache_mode=force_generic_plan';

/**
 * The options of the connection pool for requests, with short timeouts.
 *
 * @param usesPooler whether `url` is the address of a pooler
 */
export function requestOptions(
  url: string,
  poolSize: number,
  timeouts: DatabaseTimeouts = DATABASE_TIMEOUTS,
  usesPooler = false,
): DataSourceOptions {
  return {
    type: 'postgres',
    url: databaseAddress(url)?.url ?? url,
    driver: PG_WITHOUT_NATIVE,
    logger: new WarningsOnly(),
    applicationName: 'events',
    poolSize,
    connectTimeoutMS: timeouts.connect,
    extra: {
      // The complete URL is used, because TypeORM's separate options can describe only one server.
      connectionString: url,
      responseTimeoutMs: timeouts.statement + RESPONSE_MARGIN_MS,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      ...(usesPooler
        ? { Client: pooledClient(timeouts), query_timeout: timeouts.statement + RESPONSE_MARGIN_MS }
        : { Client: ServerClient, ...timeoutSettings(timeouts), options: `${SESSION} ${GENERIC_PLANS}` }),
    },
    poolErrorHandler: ignoreIdleErrors,
    synchronize: false,
    migrationsRun: false,
  };
}

/**
 * Milliseconds that a statement of a migration waits for a lock, unless `withLockRetries` (migration-retries.ts) sets
 * another time. While the statement waits for an exclusive lock, every later query on the table also waits.
 */
const MIGRATION_LOCK_TIMEOUT_MS = 2_000;

/** The options of connections for migrations. A statement that has got its locks may run for any length of time. */
export function migrationOptions(url: string, migrations: readonly (new () => object)[]): DataSourceOptions {
  return {
    type: 'postgres',
    url: databaseAddress(url)?.url ?? url,
    driver: PG_WITHOUT_NATIVE,
    logger: new WarningsOnly(),
    applicationName: 'events-migrate',
    poolSize: 2,
    connectTimeoutMS: 10_000,
    extra: {
      Client: ServerClient,
      connectionString: url,
      lock_timeout: MIGRATION_LOCK_TIMEOUT_MS,
      options: SESSION,
    },
    poolErrorHandler: ignoreIdleErrors,
    migrations: [...migrations],
    migrationsTransactionMode: 'each',
  };
}

/** Milliseconds to connect to a replica. The time is short, because another server can answer. */
const REPLICA_CONNECT_TIMEOUT_MS = 1_000;

/** The options of connections for reads from a replica. Statements have the same timeouts as on the primary. */
export function replicaPoolOptions(url: string, poolSize: number, timeouts: DatabaseTimeouts): PoolConfig {
  return {
    connectionString: url,
    application_name: 'events',
    max: poolSize,
    Client: ResilientClient,
    connectionTimeoutMillis: REPLICA_CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    ...timeoutSettings(timeouts),
    options: `${SESSION} ${GENERIC_PLANS}`,
  };
}

/** Opens a connection for checks of a server. `timeoutMs` limits the time to connect, and the time of each query. */
export async function connectOnce(url: string, timeoutMs: number): Promise<Client> {
  const client = new ServerClient({
    connectionString: url,
    application_name: 'events-watch',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  await client.connect();
  return client;
}
