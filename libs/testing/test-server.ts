import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { newAdapter, setUpServer } from '#apps/server/server.setup';
import { ServerModule } from '#apps/server/server.module';
import { readSettings } from '#platform/config/load-settings';
import { Settings, type DatabaseTimeouts } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { runDetached } from '#platform/database/one-connection';
import type { JobResult } from '#platform/jobs/job';
import { Jobs } from '#platform/jobs/jobs';
import { Clock } from '#platform/time/clock';
import { Documented } from './documented';
import { HttpClient } from './http-client';
import { MovableClock } from './movable-clock';
import { watchLockOrder } from './lock-order';
import { refuseParallelQueries } from './one-query';
import { refuseSecondConnections, takeRefusedStatements } from './one-connection';
import { createPerson, type Person, type PersonOptions } from './people';
import { replannedStatements } from './plans';
import { createTestDatabase, type TestDatabase } from './test-database';
import { warmConnections } from './warm';

/**
 * Milliseconds. The timeouts are long, because requests may wait long on a busy machine. Separate tests check the
 * timeouts of OPS-10.
 */
const LONG_TIMEOUTS: DatabaseTimeouts = { connect: 30_000, statement: 30_000, lock: 30_000, idleInTransaction: 30_000 };

/**
 * Runs the whole service over real HTTP, with its own database, folder and clock. `stop` throws if a response of the
 * API did not match docs/openapi.json, PostgreSQL planned a named statement at every execution, or a transaction took
 * a second connection.
 */
export class TestServer {
  /** The last query sent by `sql`. */
  private lastQuery: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly app: NestFastifyApplication,
    readonly origin: string,
    readonly clock: MovableClock,
    readonly dataDir: string,
    private readonly sqlClient: Client,
    private readonly release: () => Promise<void>,
  ) {}

  /**
   * Starts the service. `overrides` are settings that replace the settings of the tests, such as the high limits of
   * requests per minute. `prepare` runs before the server listens. `open` opens the database; by default, a new
   * database is created.
   */
  static async start(
    overrides: Partial<Settings> = {},
    prepare: (app: NestFastifyApplication) => void = () => undefined,
    open: () => Promise<TestDatabase> = createTestDatabase,
  ): Promise<TestServer> {
    watchLockOrder();
    refuseParallelQueries();
    refuseSecondConnections();
    const database = await open();
    const dataDir = mkdtempSync(join(tmpdir(), 'events-test-'));
    const clock = new MovableClock();
    const settings: Settings = {
      ...readSettings({
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        APP_SECRET: 'secret of the tests, and of nothing else',
        LOG_LEVEL: 'silent',
        JOBS: 'off',
      }),
      rateLimitTokenPerMinute: 1_000_000,
      rateLimitIpPerMinute: 1_000_000,
      databaseTimeouts: LONG_TIMEOUTS,
      ...overrides,
    };
    const testing = await Test.createTestingModule({ imports: [ServerModule.with(settings)] })
      .overrideProvider(Clock)
      .useValue(clock)
      .compile();
    const app = testing.createNestApplication<NestFastifyApplication>(newAdapter(settings), {
      bodyParser: false,
      logger: ['error'],
    });
    await setUpServer(app);
    prepare(app);
    const documented = new Documented();
    documented.watch(app.getHttpAdapter().getInstance());
    await app.listen(0, '127.0.0.1');
    await warmConnections(app.get(DataSource));
    const origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
    const sqlClient = new Client({ connectionString: database.url, options: '-c TimeZone=UTC' });
    await sqlClient.connect();
    return new TestServer(app, origin, clock, dataDir, sqlClient, async () => {
      const planned = await replannedStatements(app.get(DataSource));
      await app.close();
      await sqlClient.end();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
      documented.storeCodes();
      const differences = [...documented.differences];
      if (planned.length > 0)
        throw new Error(
          `PostgreSQL planned these statements again at each execution (docs/adr/0003-named-sql-and-entities.md):\n${planned.join('\n')}`,
        );
      const refused = takeRefusedStatements();
      if (refused.length > 0)
        throw new Error(`statements took a second connection inside a transaction (OPS-78): ${refused.join(', ')}`);
      if (differences.length > 0)
        throw new Error(
          `responses differ from docs/openapi.json (if the document is outdated, run npm run openapi):\n${differences.join('\n')}`,
        );
    });
  }

  async stop(): Promise<void> {
    await this.release();
  }

  get database(): Database {
    return this.app.get(Database);
  }

  /** A client without a token. */
  get nobody(): HttpClient {
    return new HttpClient(this.origin, {});
  }

  /** Creates a Premium account, by default with a write token. The slug of the account is unique. */
  person(name: string, options: PersonOptions = {}): Promise<Person> {
    return createPerson(this, name, options);
  }

  /**
   * Creates several people, whose ids increase in the order of the names: `const { jana, petr } = await
   * server.people('jana', 'petr')`.
   */
  async people<Name extends string>(...names: Name[]): Promise<Record<Name, Person>> {
    const all: [Name, Person][] = [];
    for (const name of names) all.push([name, await this.person(name)]);
    return Object.fromEntries(all) as Record<Name, Person>;
  }

  /** Runs a job now. For the job, the current time is the time of `clock`. */
  job(name: string): Promise<JobResult> {
    return runDetached(() => this.app.get(Jobs).runNow(name));
  }

  /**
   * Runs an SQL query to read or fill tables. Queries run one after another in a separate session, without a timeout.
   */
  async sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const answer = this.lastQuery.then(() => this.sqlClient.query<Row>(text, [...values]));
    this.lastQuery = answer.catch(() => undefined);
    return (await answer).rows;
  }
}
