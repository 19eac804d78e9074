import { Logger } from '@nestjs/common';
import pg, { Client, type ClientConfig, type PoolConfig } from 'pg';
import type { DataSourceOptions, Logger as TypeOrmLogger } from 'typeorm';
import { databaseAddress } from '#platform/config/database-address';
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '#platform/config/settings';
import { Pipeline } from './pipeline';
import { ServerClient } from './server-client';
import { SturdyClient } from './sturdy-client';

/** Connections that code may hold for any time, even if requests use a pooler. */
export const DIRECT_DATA_SOURCE = Symbol('DIRECT_DATA_SOURCE');

/**
 * Milliseconds. A connection caches the plans of its statements; the first statements on a new connection take tens of
 * milliseconds longer.
 */
const IDLE_CONNECTION = 300_000;

/** Settings of every session. A pooler passes sessions from one client to another. */
function limitsOf({ statement, lock, idleInTransaction }: DatabaseTimeouts): Record<string, number> {
  return { statement_timeout: statement, lock_timeout: lock, idle_in_transaction_session_timeout: idleInTransaction };
}

/** Milliseconds added to PostgreSQL's statement timeout: the client waits for a response that long. */
const AFTER_A_STATEMENT = 1_000;

/**
 * Statements are short and their data is in memory: JIT and parallel workers cost more than they save, and random reads
 * are cheap.
 */
const PLANNING = { jit: 'off', max_parallel_workers_per_gather: 0, random_page_cost: 1.1 } as const;

/** Settings that a pooler stores for each client and applies to every session that it assigns to the client. */
const KNOWN_TO_POOLERS = { TimeZone: 'UTC', DateStyle: 'ISO' } as const;

/** The beginning of a transaction. */
export const START_TRANSACTION = 'START TRANSACTION';

interface StartedByParameters {
  getStartupConf(): Record<string, string>;
}
type Ask = (...question: unknown[]) => unknown;

/**
 * A client of a pooler in transaction mode: connections have no state between transactions. Statements are therefore
 * not prepared under a name, and session settings are sent at the beginning of every transaction. (A statement outside
 * a transaction has only `query_timeout`, unless the pooler sets the other limits: docs/operating/scaling.md.)
 */
function pooledClient(timeouts: DatabaseTimeouts): typeof Client {
  /** The settings follow START TRANSACTION in the same message. */
  const start = [
    START_TRANSACTION,
    ...Object.entries({ ...limitsOf(timeouts), ...PLANNING }).map(([name, value]) => `SET LOCAL ${name} = ${value}`),
  ];
  const instead = (text: string): string[] => (text === START_TRANSACTION ? start : [text]);

  return class extends ServerClient {
    constructor(config?: string | ClientConfig) {
      super(config);
      const ask = this.query.bind(this) as unknown as Ask;
      this.query = ((question: unknown, ...rest: unknown[]) => {
        if (question instanceof Pipeline) question.withoutNames(instead);
        return ask(withoutName(question), ...rest);
      }) as unknown as typeof this.query;
    }

    /** Poolers refuse any other start-up parameters. */
    getStartupConf(): Record<string, string> {
      return { ...(Client.prototype as unknown as StartedByParameters).getStartupConf.call(this), ...KNOWN_TO_POOLERS };
    }
  };
}

function withoutName(question: unknown): unknown {
  const isNamed = typeof question === 'object' && question !== null && 'name' in question && !('submit' in question);
  return isNamed ? { ...question, name: undefined } : question;
}

/** TypeORM prefers pg-native where it is installed, and pg-native corrupts Buffer parameters. */
const PLAIN_PG: unknown = Object.create(pg, { native: { value: undefined } });

/**
 * TypeORM's own logger writes to stdout, which belongs to the command line's result. Failures are thrown, so they need
 * no log line.
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

const SESSION = Object.entries({ ...KNOWN_TO_POOLERS, ...PLANNING })
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** The pool replaces an idle connection that was closed. Errors of queries are reported to their callers. */
const ignoreIdleClients = (): void => undefined;

/**
 * PostgreSQL plans a statement once per connection, for all values. By default it compares the cost of such a plan with
 * an estimate for the current values, and may plan at every execution. With a million events, a Discover page then took
 * 3.5 ms to plan and 1.5 ms to run. Values that need a different plan get a statement of their own
 * (docs/adr/0003-named-sql-and-entities.md).
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan';

/** Connections for requests: a pool of `pool` connections with short timeouts. `pooled`: through a pooler. */
export function requestOptions(
  url: string,
  pool: number,
  timeouts: DatabaseTimeouts = DATABASE_TIMEOUTS,
  pooled = false,
): DataSourceOptions {
  return {
    type: 'postgres',
    url: databaseAddress(url)?.url ?? url,
    driver: PLAIN_PG,
    logger: new WarningsOnly(),
    applicationName: 'events',
    poolSize: pool,
    connectTimeoutMS: timeouts.connect,
    extra: {
      // The complete address: TypeORM's separate options describe one server only.
      connectionString: url,
      answerMillis: timeouts.statement + AFTER_A_STATEMENT,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      idleTimeoutMillis: IDLE_CONNECTION,
      ...(pooled
        ? { Client: pooledClient(timeouts), query_timeout: timeouts.statement + AFTER_A_STATEMENT }
        : { Client: ServerClient, ...limitsOf(timeouts), options: `${SESSION} ${PLANNED_ONCE}` }),
    },
    poolErrorHandler: ignoreIdleClients,
    synchronize: false,
    migrationsRun: false,
  };
}

/** Milliseconds that a migration waits for a lock. Every later query on the table waits behind the migration. */
const MIGRATION_LOCK = 2_000;

/** Connections for migrations: a statement may run for any time once it has its locks. */
export function migrationOptions(url: string, migrations: readonly (new () => object)[]): DataSourceOptions {
  return {
    type: 'postgres',
    url: databaseAddress(url)?.url ?? url,
    driver: PLAIN_PG,
    logger: new WarningsOnly(),
    applicationName: 'events-migrate',
    poolSize: 2,
    connectTimeoutMS: 10_000,
    extra: {
      Client: ServerClient,
      connectionString: url,
      keepAlive: true,
      lock_timeout: MIGRATION_LOCK,
      options: SESSION,
    },
    poolErrorHandler: ignoreIdleClients,
    migrations: [...migrations],
    migrationsTransactionMode: 'each',
  };
}

/** Milliseconds to connect to a replica. Short, because another server can answer. */
const REPLICA_CONNECT = 1_000;

/** Connections for reads from a replica, with the same limits as the primary's. */
export function replicaPoolOptions(url: string, pool: number, timeouts: DatabaseTimeouts): PoolConfig {
  return {
    connectionString: url,
    application_name: 'events',
    max: pool,
    Client: SturdyClient,
    connectionTimeoutMillis: REPLICA_CONNECT,
    idleTimeoutMillis: IDLE_CONNECTION,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...limitsOf(timeouts),
    options: `${SESSION} ${PLANNED_ONCE}`,
  };
}

/** A connection for repeated checks of a server, with a short timeout. */
export async function connectWatch(url: string, patience: number): Promise<Client> {
  const client = new ServerClient({
    connectionString: url,
    application_name: 'events-watch',
    connectionTimeoutMillis: patience,
    query_timeout: patience,
  });
  await client.connect();
  return client;
}
