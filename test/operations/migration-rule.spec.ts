import type { MigrationInterface, QueryRunner } from 'typeorm';
import { loadMigrations, type Migration } from '#platform/database/migration-files';
import { migrateWith } from '#platform/database/migrations';
import { migrationProblems } from '#testing/migration-rule';
import { withClient } from '#testing/test-cluster';
import { createEmptyDatabase } from '#testing/test-database';
import { waitUntil } from '#testing/wait-until';

/** The first migration that the rule (OPS-62) applies to. Older migrations existed before the rule. */
const FIRST = '0271';

// OPS-62
describe('a migration', () => {
  const migrationOf = (sql: string, transaction?: false): Migration =>
    class implements MigrationInterface {
      readonly transaction = transaction;
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(sql);
      }
      async down(): Promise<void> {}
    };
  /**
   * Migrations that create the existing tables. A migration that removes something must raise the floor: it writes its
   * own name into the table `schema_floor` (OPS-53).
   */
  const BEFORE = [
    [
      '0001-floor',
      migrationOf(`CREATE TABLE schema_floor (migration text); INSERT INTO schema_floor VALUES ('0001-floor')`),
    ],
    ['0002-ground', migrationOf('CREATE TABLE people (id int PRIMARY KEY, name text, born date)')],
  ] as const;

  it('of this repository, from 0271 on, has none of the problems that `migrationProblems` reports', async () => {
    expect(await migrationProblems(loadMigrations(), FIRST)).toEqual([]);
  });

  it('is reported if it has a harmful effect on existing tables, and is not reported otherwise', async () => {
    const problemsOf = async (...steps: Migration[]): Promise<string[]> => {
      const lines = await migrationProblems(
        new Map([...BEFORE, ...steps.map((step, n) => [`028${n + 1}-step`, step] as const)]),
        FIRST,
      );
      return lines.map((line) => line.replace('-step', ''));
    };
    expect(
      await problemsOf(
        migrationOf('ALTER TABLE people ALTER id TYPE bigint'),
        migrationOf('CREATE INDEX people_name ON people (name)'),
        migrationOf('ALTER TABLE people ADD CHECK (id > 0)'),
        migrationOf('ALTER TABLE people ALTER name SET NOT NULL'),
        migrationOf('ALTER TABLE people DROP born'),
      ),
    ).toEqual(
      expect.arrayContaining([
        '0281 rewrites people',
        '0282 creates people.people_name without CONCURRENTLY',
        '0283 reads every row to validate people.people_id_check',
        '0284 reads every row to validate people.name NOT NULL',
        '0285 removes people.born and does not raise the floor',
      ]),
    );
    expect(
      await problemsOf(
        migrationOf(
          'ALTER TABLE people ADD nickname text, ADD age int NOT NULL DEFAULT 0; CREATE TABLE pets (id int PRIMARY KEY, owner int REFERENCES people); CREATE INDEX ON pets (owner)',
        ),
        migrationOf('CREATE INDEX CONCURRENTLY people_name ON people (name)', false),
        migrationOf('ALTER TABLE people ADD CONSTRAINT named CHECK (name IS NOT NULL) NOT VALID'),
        migrationOf('ALTER TABLE people VALIDATE CONSTRAINT named'),
        migrationOf(`ALTER TABLE people DROP born; UPDATE schema_floor SET migration = '0285-step'`),
      ),
    ).toEqual([]);
  });

  it('from 0340 on defines no view or trigger, and defines a function only if an index needs it', async () => {
    const FUNCTION = `CREATE FUNCTION half(n int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT n / 2'`;
    const after = async (sql: string): Promise<string[]> =>
      migrationProblems(new Map([...BEFORE, ['0340-step', migrationOf(sql)]]), FIRST);
    expect(await after(`${FUNCTION}; CREATE TABLE pets (id int PRIMARY KEY); CREATE INDEX ON pets (half(id))`)).toEqual(
      [],
    );
    const renamed = new Map([
      ...BEFORE,
      ['0339-step', migrationOf(FUNCTION)],
      ['0340-step', migrationOf('ALTER FUNCTION half RENAME TO one_half')],
    ]);
    expect(await migrationProblems(renamed, FIRST)).toEqual([]);
    expect(
      await after(`${FUNCTION}; CREATE VIEW adults AS SELECT * FROM people;
      CREATE TRIGGER stays BEFORE UPDATE ON people FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`),
    ).toEqual([
      '0340-step defines function half(integer), which belongs in an SQL file',
      '0340-step defines view adults, which belongs in an SQL file',
      '0340-step defines trigger stays of people, which belongs in an SQL file',
    ]);
  });

  it('that cannot get its lock does not block other statements, and is retried', async () => {
    const database = await createEmptyDatabase();
    await migrateWith(database.url, new Map(BEFORE));
    // Within a transaction, pg_stat_activity always shows the state at the first query, so a second connection reads
    // it.
    await withClient(database.url, (holder) =>
      withClient(database.url, async (watcher) => {
        await holder.query('BEGIN; SELECT * FROM people');
        const migrated = migrateWith(
          database.url,
          new Map([...BEFORE, ['0201-step', migrationOf('ALTER TABLE people ADD nickname text')]]),
        );
        // After the first attempt, no statement waits for a lock, and the migration is not applied yet.
        const waits = async () =>
          (
            await watcher.query(
              `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            )
          ).rows.length;
        await waitUntil(async () => (await waits()) > 0);
        await waitUntil(async () => (await waits()) === 0);
        await holder.query('COMMIT');
        expect(await migrated).toEqual(['0201-step']);
      }),
    );
    await database.drop();
  });
});
