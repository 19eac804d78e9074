import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { withClient } from '#testing/test-cluster';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#testing/test-database';
import { waitUntil } from '#testing/wait-until';
import { requestOptions } from './data-source';
import { planMigrations } from './migration-plan';
import { loadMigrations, type Migration } from './migration-files';
import { pendingMigrations } from './migration-state';
import { migrate, migrateWith } from './migrations';
import { sqlFiles, type SqlFile } from './sql-files';

/** The first migration that must list its tables in `locks` (OPS-113). */
const FIRST_WITH_LOCKS = '0090';
const ORDER = ['functions.sql', 'views.sql', 'triggers.sql', 'removed.sql'];

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

  const log = () =>
    withClient(test.url, async (client) =>
      (await client.query<{ entry: string }>('SELECT entry FROM log')).rows.map(({ entry }) => entry),
    );

  // OPS-7
  it('are applied once and in order when several processes start simultaneously', async () => {
    const files = new Map([
      ['0010-second', Second],
      ['0002-first', First],
    ]);
    const applied = await Promise.all([1, 2, 3].map(() => migrateWith(test.url, files)));
    expect(applied.sort((a, b) => a.length - b.length)).toEqual([[], [], ['0002-first', '0010-second']]);
    expect(await log()).toEqual(['first', 'second']);
  });

  // OPS-7
  it('stop at the first migration that fails, which is rolled back', async () => {
    await expect(
      migrateWith(
        test.url,
        new Map([
          ['0001-first', First],
          ['0002-broken', Broken],
        ]),
      ),
    ).rejects.toThrow('division by zero');
    expect(await log()).toEqual(['first']);
    expect(
      await migrateWith(
        test.url,
        new Map([
          ['0001-first', First],
          ['0002-second', Second],
        ]),
      ),
    ).toEqual(['0002-second']);
  });

  describe('that lock tables in another order than a running server', () => {
    let attempts: number;
    const Deadlocking: Migration = class implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        attempts++;
        await runner.query('LOCK TABLE second IN ACCESS EXCLUSIVE MODE');
        await runner.query(`INSERT INTO log VALUES ('after the deadlock')`);
      }
      async down(): Promise<void> {}
    };
    const files = new Map<string, Migration>([
      ['0001-first', First],
      ['0002-against', Deadlocking],
    ]);
    /**
     * Runs the migration while another transaction locks the same tables in the opposite order. `deadlockTimeout` is
     * the setting of this other transaction. `lockTimeouts` contains the migration's lock timeout for each attempt, in
     * milliseconds.
     */
    const deadlock = (deadlockTimeout: string, lockTimeouts?: readonly number[]) =>
      withClient(test.url, async (server) => {
        await server.query(`SET deadlock_timeout = '${deadlockTimeout}'`);
        const request = async (): Promise<void> => {
          await server.query('BEGIN; LOCK TABLE log IN ACCESS EXCLUSIVE MODE');
          const blocked = `SELECT 1 FROM pg_locks WHERE relation = 'log'::regclass AND NOT granted`;
          await waitUntil(async () => (await server.query(blocked)).rowCount !== 0);
          await server.query('LOCK TABLE second IN ACCESS SHARE MODE; COMMIT');
        };
        return Promise.allSettled([migrateWith(test.url, files, [], lockTimeouts), request()]);
      });

    beforeEach(async () => {
      attempts = 0;
      await migrateWith(test.url, new Map([['0001-first', First]]));
      await withClient(test.url, (client) => client.query('CREATE TABLE second ()'));
    });

    // OPS-83
    it('are retried after a deadlock; the error after the last attempt suggests a solution', async () => {
      // PostgreSQL aborts the migration and not the other transaction, because the migration, with the default
      // deadlock_timeout of 1 s, is the first to look for a deadlock.
      expect(await deadlock('1min', [2_000])).toEqual([
        {
          status: 'rejected',
          reason: new StartupError(
            'The database cannot be migrated: deadlock detected. Running servers lock tables that the migration needs: stop the servers, or wait for a quieter hour, and run migrate again. It continues with the first migration that was not applied.',
          ),
        },
        { status: 'fulfilled', value: undefined },
      ]);
      expect(await log()).toEqual(['first']);
      expect(await deadlock('1min', [2_000, 2_000])).toEqual([
        { status: 'fulfilled', value: ['0002-against'] },
        { status: 'fulfilled', value: undefined },
      ]);
      expect([attempts, await log()]).toEqual([3, ['first', 'after the deadlock']]);
    });

    // OPS-62
    it('are rolled back before PostgreSQL aborts a request of the server', async () => {
      expect(await deadlock('500ms')).toEqual([
        { status: 'fulfilled', value: ['0002-against'] },
        { status: 'fulfilled', value: undefined },
      ]);
      expect(attempts).toBeGreaterThan(1);
    });

    // OPS-62
    it('cause no deadlock if they lock several tables together before they change them', async () => {
      const Locking: Migration = class extends Deadlocking {
        override readonly locks = ['second', 'log'];
      };
      await withClient(test.url, async (server) => {
        await server.query('BEGIN; LOCK TABLE log IN ACCESS EXCLUSIVE MODE');
        const migrated = migrateWith(test.url, new Map([...files, ['0002-against', Locking]]));
        await pause(300);
        await server.query('LOCK TABLE second IN ACCESS SHARE MODE; COMMIT');
        expect([await migrated, attempts]).toEqual([['0002-against'], 1]);
      });
    });
  });

  // OPS-62
  it('that run outside a transaction create an index CONCURRENTLY without a lock timeout, repeat only the statement that gets no lock, and are repeated as a whole after a deadlock', async () => {
    let runs = 0;
    const Indexing: Migration = class implements MigrationInterface {
      readonly transaction = false;
      async up(runner: QueryRunner): Promise<void> {
        runs++;
        await runner.query(
          `CREATE OR REPLACE FUNCTION lock_timeout_of(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
             RAISE EXCEPTION 'lock_timeout of %: %', $1, current_setting('lock_timeout'); END $$`,
        );
        const create = 'CREATE INDEX CONCURRENTLY log_index ON log (lock_timeout_of(entry))';
        const error = await runner.query(create).catch(({ message }: Error) => message);
        await runner.query('DROP INDEX CONCURRENTLY log_index');
        await withClient(test.url, async (server) => {
          await server.query('BEGIN; LOCK TABLE log IN ACCESS EXCLUSIVE MODE');
          const changed = runner.query(`INSERT INTO log VALUES ($1), (current_setting('lock_timeout'))`, [error]);
          // The first attempt waits for 50 ms and the second for 10 s.
          await pause(150);
          await server.query('COMMIT');
          await changed;
        });
        if (runs === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      }
      async down(): Promise<void> {}
    };
    await migrateWith(
      test.url,
      new Map<string, Migration>([
        ['0001-first', First],
        ['0002-indexing', Indexing],
      ]),
      [],
      [50, 10_000],
    );
    const error = 'lock_timeout of first: 0';
    expect([runs, await log()]).toEqual([2, ['first', error, '10s', error, '10s']]);
  });

  // OPS-6. The floor of a database is the oldest migration that a version must know to use this database.
  it('refuse the database of a newer version if it contains no floor', async () => {
    await migrateWith(
      test.url,
      new Map([
        ['0001-first', First],
        ['0002-second', Second],
      ]),
    );
    await expect(migrateWith(test.url, new Map([['0001-first', First]]))).rejects.toThrow(
      new StartupError(
        'The database is newer than this version of the service, which does not know these migrations: 0002-second. Start the newer version.',
      ),
    );
  });

  // OPS-53
  it('accept the database of a newer version only if they include the floor of the database', async () => {
    const floor = (file: string): new () => MigrationInterface =>
      class implements MigrationInterface {
        async up(runner: QueryRunner): Promise<void> {
          await runner.query(
            `CREATE TABLE IF NOT EXISTS schema_floor (migration text); DELETE FROM schema_floor; INSERT INTO schema_floor VALUES ('${file}')`,
          );
        }
        async down(): Promise<void> {}
      };
    const olderMigrations = new Map<string, new () => MigrationInterface>([
      ['0001-first', First],
      ['0002-floor', floor('0002-floor')],
    ]);
    await migrateWith(
      test.url,
      new Map<string, new () => MigrationInterface>([...olderMigrations, ['0003-second', Second]]),
    );
    expect(await migrateWith(test.url, olderMigrations)).toEqual([]);
    await migrateWith(
      test.url,
      new Map<string, new () => MigrationInterface>([
        ...olderMigrations,
        ['0003-second', Second],
        ['0004-change', floor('0004-change')],
      ]),
    );
    await expect(migrateWith(test.url, olderMigrations)).rejects.toThrow(
      /which does not know these migrations: 0003-second, 0004-change\. Start the newer version/,
    );
  });

  // OPS-53, OPS-113
  it('of this repository can be planned without changing the database, and applied; the plan contains the locks on existing tables', async () => {
    const databases = () =>
      withClient(
        test.url,
        async (client) =>
          (await client.query<{ datname: string }>(`SELECT datname FROM pg_database WHERE datname LIKE 'events_plan%'`))
            .rows,
      );
    const planned = await planMigrations(test.url);
    expect(planned[0]).toEqual({ migration: '0001-extensions', locks: [] });
    const versions = planned.find((step) => 'migration' in step && step.migration === '0135-versions')!;
    expect(versions.locks).toContainEqual({ table: 'events', mode: 'AccessExclusiveLock' });
    expect(planned.find((step) => 'migration' in step && step.migration === '0200-schema-floor')!.locks).toEqual([]);
    expect(
      planned.find((step) => 'file' in step && step.file === 'libs/areas/credits/sql/triggers.sql'),
    ).toBeUndefined();
    expect(planned).toContainEqual({
      file: 'libs/areas/group-events/sql/triggers.sql',
      locks: [{ table: 'group_interests', mode: 'ShareRowExclusiveLock' }],
    });
    expect(planned).toContainEqual({
      file: 'libs/areas/gallery/sql/views.sql',
      locks: [{ table: 'gallery_photos', mode: 'AccessExclusiveLock' }],
    });
    expect(planned).toContainEqual({ file: 'libs/areas/events/sql/functions.sql', locks: [] });
    expect(await databases()).toEqual([]);
    expectListedLocks(planned);
    const source = await new DataSource(requestOptions(test.url, 1)).initialize();
    expect(await pendingMigrations(source)).toContain('0001-extensions');
    const applied = await migrate(test.url);
    expect([applied[0], applied.length]).toEqual(['0001-extensions', planned.length]);
    expect(await pendingMigrations(source)).toEqual([]);
    await source.destroy();
    expect(await migrate(test.url)).toEqual([]);
    expect(await planMigrations(test.url)).toEqual([]);
  });

  /**
   * Checks the property `locks` of the migrations from FIRST_WITH_LOCKS on that run in a transaction. A migration that
   * locks several existing tables must list all of them. A migration that locks at most one existing table must have no
   * list.
   */
  function expectListedLocks(planned: Awaited<ReturnType<typeof planMigrations>>): void {
    const migrations = loadMigrations();
    for (const step of planned) {
      if (!('migration' in step) || step.migration < FIRST_WITH_LOCKS) continue;
      const migration = new (migrations.get(step.migration)!)();
      const tables = [...new Set(step.locks.map(({ table }) => table))];
      if (migration.transaction !== false)
        expect([step.migration, migration.locks]).toEqual([step.migration, tables.length > 1 ? tables : undefined]);
    }
  }

  // OPS-53, OPS-70
  it('can be planned if the address of the database names several servers', async () => {
    const { host } = new URL(test.url);
    await migrateWith(test.url, new Map([['0001-first', First]]));
    const planned = await planMigrations(test.url.replace(host, `${host},${host}`), {
      files: [],
      migrations: new Map([
        ['0001-first', First],
        ['0002-second', Second],
      ]),
    });
    expect(planned).toEqual([{ migration: '0002-second', locks: [] }]);
  });

  // OPS-53
  it('are planned statement by statement if they run outside a transaction, whether or not their statements contain CONCURRENTLY', async () => {
    const step = (...statements: string[]): Migration =>
      class implements MigrationInterface {
        readonly transaction = false;
        async up(runner: QueryRunner): Promise<void> {
          for (const one of statements) await runner.query(one);
        }
        async down(): Promise<void> {}
      };
    await migrateWith(test.url, new Map([['0001-first', First]]));
    const index = 'CREATE INDEX CONCURRENTLY log_entry ON log (entry)';
    const planned = await planMigrations(test.url, {
      files: [],
      migrations: new Map<string, Migration>([
        ['0001-first', First],
        ['0002-concurrently', step('DROP INDEX CONCURRENTLY IF EXISTS log_entry', index)],
        [
          '0003-mixed',
          step(
            'DROP INDEX CONCURRENTLY log_entry',
            'ALTER TABLE log ADD CHECK (length(entry) < 100) NOT VALID',
            'ALTER TABLE log VALIDATE CONSTRAINT log_entry_check',
            index,
          ),
        ],
        ['0004-plain', step('CREATE INDEX log_plain ON log (entry)')],
      ]),
    });
    expect(planned).toEqual([
      { migration: '0002-concurrently', locks: [] },
      { migration: '0003-mixed', locks: [{ table: 'log', mode: 'AccessExclusiveLock' }] },
      { migration: '0004-plain', locks: [{ table: 'log', mode: 'ShareLock' }] },
    ]);
  });

  // OPS-113
  it('wait for no lock on a table if all migrations are already applied', async () => {
    const migrated = await createTestDatabase();
    await withClient(migrated.url, async (client) => {
      await client.query('BEGIN; LOCK TABLE all_events, users, participations, changes IN ACCESS EXCLUSIVE MODE');
      expect(await migrate(migrated.url)).toEqual([]);
      await client.query('ROLLBACK');
    });
    await migrated.drop();
  });

  // OPS-113
  describe('with SQL files', () => {
    class FirstTables implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(
          `CREATE TABLE log (entry text); CREATE TABLE database_files (name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
        );
      }
      async down(): Promise<void> {}
    }
    const MIGRATIONS = new Map<string, Migration>([['0001-tables', FirstTables]]);
    const file = (name: string, text: string): SqlFile => ({
      name,
      text: `${text}; INSERT INTO log VALUES ('${name}')`,
      digest: `${name} ${text}`,
    });

    it('apply new files once, even if several processes start simultaneously, and apply changed files again', async () => {
      const files = [file('first', 'SELECT 1'), file('second', 'SELECT 2')];
      const applied = await Promise.all([1, 2, 3].map(() => migrateWith(test.url, MIGRATIONS, files)));
      expect(applied.sort((a, b) => a.length - b.length)).toEqual([[], [], ['0001-tables', 'first', 'second']]);
      expect(await migrateWith(test.url, MIGRATIONS, [files[0]!, file('second', 'SELECT 3')])).toEqual(['second']);
      expect(await log()).toEqual(['first', 'second', 'second']);
    });

    it('apply all files or none, and name the file that fails', async () => {
      await expect(
        migrateWith(test.url, MIGRATIONS, [file('first', 'SELECT 1'), file('broken', 'SELECT 1/0')]),
      ).rejects.toThrow('broken: division by zero');
      expect(await log()).toEqual([]);
      expect(await migrateWith(test.url, MIGRATIONS, [file('first', 'SELECT 1')])).toEqual(['first']);
    });

    it('apply no SQL file to the database of a newer version', async () => {
      const floor = `CREATE TABLE schema_floor (migration text); INSERT INTO schema_floor VALUES ('0001-tables')`;
      await migrateWith(test.url, new Map<string, Migration>([...MIGRATIONS, ['0002-second', Second]]), [
        file('first', floor),
      ]);
      expect(await migrateWith(test.url, MIGRATIONS, [file('first', 'SELECT 1')])).toEqual([]);
      expect(await log()).toEqual(['second', 'first']);
    });

    it('wait only a short time for a lock, so that they do not block other sessions, and are retried', async () => {
      await migrateWith(test.url, MIGRATIONS);
      const trigger =
        'CREATE OR REPLACE TRIGGER stays BEFORE UPDATE ON log FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()';
      await withClient(test.url, (holder) =>
        withClient(test.url, async (watcher) => {
          await holder.query(`BEGIN; INSERT INTO log VALUES ('held')`);
          const migrated = migrateWith(test.url, MIGRATIONS, [file('triggers', trigger)]);
          const waits = async () =>
            (
              await watcher.query(
                `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
              )
            ).rows.length;
          await waitUntil(async () => (await waits()) > 0);
          await waitUntil(async () => (await waits()) === 0);
          await holder.query('COMMIT');
          expect(await migrated).toEqual(['triggers']);
        }),
      );
    });

    it('apply functions first, then views, triggers and removals; a file with any other name is an error', () => {
      const kinds = sqlFiles().map(({ name }) => name.replace(/.*\//, ''));
      expect(kinds).toEqual([...kinds].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)));
      const libs = mkdtempSync(join(tmpdir(), 'libs-'));
      mkdirSync(join(libs, 'areas/polls/sql'), { recursive: true });
      mkdirSync(join(libs, 'platform'));
      writeFileSync(join(libs, 'areas/polls/sql/indexes.sql'), '');
      expect(() => sqlFiles(libs)).toThrow(
        'libs/areas/polls/sql/indexes.sql must be one of functions.sql, views.sql, triggers.sql, removed.sql.',
      );
      rmSync(libs, { recursive: true });
    });
  });
});
