import { Logger } from '@nestjs/common';
import pg, { Client, type ClientConfig, type PoolConfig } from 'pg';
import type { DataSourceOptions, Logger as TypeOrmLogger } from 'typeorm';
import { databaseAddress } from '#platform/config/database-address';
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '#platform/config/settings';
import { Pipeline } from './pipeline';
import { ServerClient } from './server-client';
import { SturdyClient } from './sturdy-client';

/** Where a connection is one's own for as long as one likes, even if requests go by a pooler. */
export const DIRECT_DATA_SOURCE = Symbol('DIRECT_DATA_SOURCE');

/** Milliseconds. A connection keeps the plans of its statements: a new one makes whoever gets it wait for tens of milliseconds. */
const IDLE_CONNECTION = 300_000;

/** What holds of every session; a pooler hands out sessions that others have had. */
function limitsOf({ statement, lock, idleInTransaction }: DatabaseTimeouts): Record<string, number> {
  return { statement_timeout: statement, lock_timeout: lock, idle_in_transaction_session_timeout: idleInTransaction };
}

/** Milliseconds that an answer is waited for longer than PostgreSQL may work on it. */
const AFTER_A_STATEMENT = 1_000;

/** Statements are short and their data is in memory: no time for compilation or helpers, and an index is not as far away as on a turning disk. */
const PLANNING = { jit: 'off', max_parallel_workers_per_gather: 0, random_page_cost: 1.1 } as const;

/** What a pooler knows of each client by itself, and tells every session it gives to it. */
const KNOWN_TO_POOLERS = { TimeZone: 'UTC', DateStyle: 'ISO' } as const;

/** The first words of a transaction. */
export const START_TRANSACTION = 'START TRANSACTION';

interface StartedByParameters {
  getStartupConf(): Record<string, string>;
}
type Ask = (...question: unknown[]) => unknown;

/**
 * A client of a pooler in transaction mode: nothing stays on a connection from one transaction to the next. So no statement is prepared
 * under a name, and what else holds of a session is said at the beginning of every transaction. (A single statement has the patience of
 * `query_timeout` alone, unless the pooler sets the rest: docs/operating/scaling.md.)
 */
function pooledClient(timeouts: DatabaseTimeouts): typeof Client {
  /** All that holds in a transaction follows its first words. */
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

    /** Poolers refuse others than these. */
    getStartupConf(): Record<string, string> {
      return { ...(Client.prototype as unknown as StartedByParameters).getStartupConf.call(this), ...KNOWN_TO_POOLERS };
    }
  };
}

function withoutName(question: unknown): unknown {
  const isNamed = typeof question === 'object' && question !== null && 'name' in question && !('submit' in question);
  return isNamed ? { ...question, name: undefined } : question;
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

const SESSION = Object.entries({ ...KNOWN_TO_POOLERS, ...PLANNING })
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** A connection that nobody uses was ended: the pool replaces it. What cannot be answered is reported where it was asked. */
const ignoreIdleClients = (): void => undefined;

/**
 * A statement is planned once a connection, for all values. Left to itself PostgreSQL compares the cost of such a plan with what it
 * guesses for the values at hand, and may plan anew at every execution: at a million events a page of Discover was planned for
 * 3.5 ms to run for 1.5. What needs another plan for other values is another statement (docs/adr/0003-named-sql-and-entities.md).
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan';

/** How requests talk to the database: a pool of `pool` connections, impatient in every respect. `pooled`: by a pooler. */
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
      // All of it: what TypeORM is told is one server's.
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

/** Milliseconds that a migration waits for a lock, and everybody who comes after it with it. */
const MIGRATION_LOCK = 2_000;

/** How migrations talk to it: one statement may take as long as it needs, once it has its locks. */
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

/** Milliseconds for a connection to a replica: there is another server to ask. */
const REPLICA_CONNECT = 1_000;

/** How reads talk to a replica: as requests do to the primary. */
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

/** A connection that looks at a server again and again, and is content with a short patience. */
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
