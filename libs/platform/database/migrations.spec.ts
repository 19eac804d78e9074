import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { connected } from '#testing/test-cluster';
import { createEmptyDatabase, type TestDatabase } from '#testing/test-database';
import { requestOptions } from './data-source';
import { planMigrations } from './migration-plan';
import { migrate, migrateWith, pendingMigrations, type Migration } from './migrations';

class First implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE log (entry text)');
    await runner.query('SELECT pg_sleep(0.2)');
    await runner.query(`INSERT INTO log VALUES ('first')`);
  }
  async down(): Promise<void> {}
}

class Second implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO log VALUES ('second')`);
  }
  async down(): Promise<void> {}
}

class Broken implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO log VALUES ('broken')`);
    await runner.query('SELECT 1/0');
  }
  async down(): Promise<void> {}
}

describe('migrations', () => {
  let test: TestDatabase;
  beforeEach(async () => (test = await createEmptyDatabase()));
  afterEach(() => test.drop());

  const log = () => connected(test.url, async (client) => (await client.query<{ entry: string }>('SELECT entry FROM log')).rows.map(({ entry }) => entry));

  // OPS-7
  it('are applied once each and in order by several at once', async () => {
    const files = new Map([['0010-second', Second], ['0002-first', First]]);
    const applied = await Promise.all([1, 2, 3].map(() => migrateWith(test.url, files)));
    expect(applied.sort((a, b) => a.length - b.length)).toEqual([[], [], ['0002-first', '0010-second']]);
    expect(await log()).toEqual(['first', 'second']);
  });

  // OPS-7
  it('stop at the first that fails, which leaves nothing, and go on from there', async () => {
    await expect(migrateWith(test.url, new Map([['0001-first', First], ['0002-broken', Broken]]))).rejects.toThrow('division by zero');
    expect(await log()).toEqual(['first']);
    expect(await migrateWith(test.url, new Map([['0001-first', First], ['0002-second', Second]]))).toEqual(['0002-second']);
  });

  // OPS-6
  it('refuse a database that a newer version has migrated', async () => {
    await migrateWith(test.url, new Map([['0001-first', First], ['0002-second', Second]]));
    await expect(migrateWith(test.url, new Map([['0001-first', First]]))).rejects.toThrow(new StartupError(
      'The database is newer than this version of the service, which does not know its 0002-second: start the newer version.',
    ));
  });

  // OPS-53
  it('go on beside a newer version that has only added, and not below the floor it has set', async () => {
    const floor = (file: string): new () => MigrationInterface => class implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(`CREATE TABLE IF NOT EXISTS schema_floor (migration text); DELETE FROM schema_floor; INSERT INTO schema_floor VALUES ('${file}')`);
      }
      async down(): Promise<void> {}
    };
    const mine = new Map<string, new () => MigrationInterface>([['0001-first', First], ['0002-floor', floor('0002-floor')]]);
    await migrateWith(test.url, new Map<string, new () => MigrationInterface>([...mine, ['0003-second', Second]]));
    expect(await migrateWith(test.url, mine)).toEqual([]);
    await migrateWith(test.url, new Map<string, new () => MigrationInterface>([...mine, ['0003-second', Second], ['0004-change', floor('0004-change')]]));
    await expect(migrateWith(test.url, mine)).rejects.toThrow(/which does not know its 0003-second, 0004-change: start the newer version/);
  });

  // OPS-53
  it('are planned with the locks they take on tables that are there, and nothing is applied or left', async () => {
    const databases = () => connected(test.url, async (client) => (await client.query<{ datname: string }>(`SELECT datname FROM pg_database WHERE datname LIKE 'events_plan%'`)).rows);
    const planned = await planMigrations(test.url);
    expect(planned[0]).toEqual({ migration: '0001-extensions', locks: [] });
    const versions = planned.find(({ migration }) => migration === '0135-versions')!;
    expect(versions.locks).toContainEqual({ table: 'events', mode: 'AccessExclusiveLock' });
    expect(planned.find(({ migration }) => migration === '0200-schema-floor')!.locks).toEqual([]);
    expect(await databases()).toEqual([]);
    expect((await migrate(test.url)).length).toBe(planned.length);
    expect(await planMigrations(test.url)).toEqual([]);
  });

  // OPS-53
  it('are planned statement by statement where they are no transaction: what goes by CONCURRENTLY, and what does not', async () => {
    const step = (...statements: string[]): Migration => class implements MigrationInterface {
      readonly transaction = false;
      async up(runner: QueryRunner): Promise<void> {
        for (const one of statements) await runner.query(one);
      }
      async down(): Promise<void> {}
    };
    await migrateWith(test.url, new Map([['0001-first', First]]));
    const index = 'CREATE INDEX CONCURRENTLY log_entry ON log (entry)';
    const planned = await planMigrations(test.url, new Map<string, Migration>([
      ['0001-first', First],
      ['0002-concurrently', step('DROP INDEX CONCURRENTLY IF EXISTS log_entry', index)],
      ['0003-mixed', step('DROP INDEX CONCURRENTLY log_entry', 'ALTER TABLE log ADD CHECK (length(entry) < 100) NOT VALID', 'ALTER TABLE log VALIDATE CONSTRAINT log_entry_check', index)],
      ['0004-plain', step('CREATE INDEX log_plain ON log (entry)')],
    ]));
    expect(planned).toEqual([
      { migration: '0002-concurrently', locks: [] },
      { migration: '0003-mixed', locks: [{ table: 'log', mode: 'AccessExclusiveLock' }] },
      { migration: '0004-plain', locks: [{ table: 'log', mode: 'ShareLock' }] },
    ]);
  });

  it('of this repository apply to an empty database, and say when they are missing', async () => {
    const source = await new DataSource(requestOptions(test.url, 1)).initialize();
    expect(await pendingMigrations(source)).toContain('0001-extensions');
    expect((await migrate(test.url))[0]).toBe('0001-extensions');
    expect(await pendingMigrations(source)).toEqual([]);
    expect(await migrate(test.url)).toEqual([]);
    await source.destroy();
  });
});
