import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { connected } from '#testing/test-cluster';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#testing/test-database';
import { requestOptions } from './data-source';
import { migrate, migrateWith, pendingMigrations } from './migrations';

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

  it('are applied once each and in order by several at once', async () => {
    const files = new Map([['0010-second', Second], ['0002-first', First]]);
    const applied = await Promise.all([1, 2, 3].map(() => migrateWith(test.url, files)));
    expect(applied.sort((a, b) => a.length - b.length)).toEqual([[], [], ['0002-first', '0010-second']]);
    expect(await log()).toEqual(['first', 'second']);
  });

  it('stop at the first that fails, which leaves nothing, and go on from there', async () => {
    await expect(migrateWith(test.url, new Map([['0001-first', First], ['0002-broken', Broken]]))).rejects.toThrow('division by zero');
    expect(await log()).toEqual(['first']);
    expect(await migrateWith(test.url, new Map([['0001-first', First], ['0002-second', Second]]))).toEqual(['0002-second']);
  });

  it('of this repository apply to an empty database, and say when they are missing', async () => {
    const source = await new DataSource(requestOptions(test.url, 1)).initialize();
    expect(await pendingMigrations(source)).toContain('0001-extensions');
    expect((await migrate(test.url))[0]).toBe('0001-extensions');
    expect(await pendingMigrations(source)).toEqual([]);
    expect(await migrate(test.url)).toEqual([]);
    await source.destroy();
  });

  it.each([
    ['Žluťoučký KŮŇ', 'zlutoucky kun'],
    ['<p>Piknik&nbsp;<b>v parku</b></p>', 'piknik nbsp v parku'],
    ['  !!! ', ''],
    ['Straße № 5', 'strasse no 5'],
  ])('bring f_fold: %s', async (text, folded) => {
    const migrated = await createTestDatabase();
    const row = await connected(migrated.url, async (client) => (await client.query('SELECT f_fold($1) AS folded', [text])).rows[0]);
    expect(row).toEqual({ folded });
    await migrated.drop();
  });
});
