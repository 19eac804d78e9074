import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import layers from '../../libs/layers.json';
import { loadMigrations } from '#platform/database/migration-files';
import { migrate, migrateWith } from '#platform/database/migrations';
import { sqlFiles } from '#platform/database/sql-files';
import { schemaText } from '#testing/schema-text';
import { withClient } from '#testing/test-cluster';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#testing/test-database';

const ROOT = join(__dirname, '../..');
/** The schema as SQL. The owners do not matter here, so all objects get the same owner. */
const textOf = (url: string): Promise<string> => schemaText(url, ['anybody'], () => 'anybody');

describe('the database schema', () => {
  let fresh: TestDatabase;
  beforeAll(async () => (fresh = await createTestDatabase()));
  afterAll(() => fresh.drop());

  // OPS-114. Each value is the last migration of a release, or of another version that is in use.
  it.each(['0065-puls-around', '0296-kept-answers-in-one-place'])(
    'is the same in a database migrated from %s as in a new database',
    async (last) => {
      const old = await createEmptyDatabase();
      const migrations = [...loadMigrations()].filter(([file]) => file <= last);
      expect(migrations.at(-1)?.[0]).toBe(last);
      await migrateWith(old.url, new Map(migrations));
      await migrate(old.url);
      expect(await textOf(old.url)).toBe(await textOf(fresh.url));
      await old.drop();
    },
  );

  // OPS-113
  it('defines every function, view and trigger in SQL files; applying these files again does not change the schema', async () => {
    const before = await textOf(fresh.url);
    await withClient(fresh.url, async (client) => {
      await client.query('BEGIN');
      for (const { text } of sqlFiles()) await client.query(text);
      await client.query('COMMIT');
      const { rows } = await client.query<{ made: string }>(`
        SELECT 'FUNCTION ' || proname AS made FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
           AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
        UNION ALL SELECT 'VIEW ' || viewname FROM pg_views WHERE schemaname = 'public'
        UNION ALL SELECT 'TRIGGER ' || tgname || ' ' || tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0`);
      const written = sqlFiles().flatMap(({ text }) => [
        ...[...text.matchAll(/^CREATE OR REPLACE (FUNCTION|VIEW) (\w+)/gm)].map(([, kind, name]) => `${kind} ${name}`),
        ...[...text.matchAll(/^CREATE OR REPLACE TRIGGER (\w+)[^;]*? ON (\w+)\s+(?:FOR|REFERENCING)/gm)].map(
          ([, name, table]) => `TRIGGER ${name} ${table}`,
        ),
      ]);
      expect(rows.map(({ made }) => made).sort()).toEqual(written.sort());
    });
    expect(await textOf(fresh.url)).toBe(before);
  });

  // EVT-71
  it.each([
    [
      'all_events',
      'event.updated',
      `id, organizer_id, title, type, starts_at, ends_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at`,
      `71, 1, 'Walk', 'walk', now() + interval '1 day', now() + interval '2 days', false, 'open', false, false, now(), now() - interval '1 hour'`,
    ],
    [
      'all_groups',
      'group.updated',
      'id, owner_id, name, is_public, members_count, invite_code, created_at, updated_at',
      `72, 1, 'Walkers', true, 1, 'code', now(), now() - interval '1 hour'`,
    ],
    [
      'all_posts',
      'post.updated',
      'id, author_id, slug, title, body, categories, status, created_at, updated_at',
      `73, 1, 'walks', 'Walks', 'On foot.', '{other}', 'draft', now(), now() - interval '1 hour'`,
    ],
    [
      'all_series',
      'series.updated',
      'id, organizer_id, starts_at, frequency, "interval", template, generated, created_at, updated_at',
      `74, 1, now(), 'weekly', 1, '{}', 1, now(), now() - interval '1 hour'`,
    ],
  ])(
    'updates version and updated_at and records a change when a value in a new column of %s changes',
    async (table, change, columns, values) => {
      await withClient(fresh.url, async (client) => {
        // The owner of the row does not exist. In the role `replica`, PostgreSQL does not check foreign keys.
        await client.query(
          `SET session_replication_role = replica; INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE VALUES (${values}); SET session_replication_role = origin`,
        );
        await client.query(`ALTER TABLE ${table} ADD COLUMN new_text text`);
        const state = async (): Promise<{ version: string; updated: Date; changes: number }> => {
          const {
            rows: [row],
          } = await client.query<{ version: string; updated: Date }>(
            `SELECT version, updated_at AS updated FROM ${table}`,
          );
          const {
            rows: [counted],
          } = await client.query<{ changes: number }>(
            'SELECT count(*)::int AS changes FROM unnumbered_changes WHERE type = $1',
            [change],
          );
          return { ...row!, ...counted! };
        };
        const before = await state();
        await client.query(`UPDATE ${table} SET new_text = 'black tie', updated_at = now()`);
        const after = await state();
        expect(Number(after.version)).toBeGreaterThan(Number(before.version));
        expect(after.updated.getTime()).toBeGreaterThan(before.updated.getTime());
        expect(after.changes).toBe(before.changes + 1);
        // Writing an equal text changes nothing, not even `updated_at`.
        await client.query(`UPDATE ${table} SET new_text = 'black tie', updated_at = now()`);
        expect(await state()).toEqual(after);
        await client.query(`ALTER TABLE ${table} DROP COLUMN new_text`);
      });
    },
  );
});

describe('the list of layers', () => {
  async function check(...extra: readonly string[]): Promise<string> {
    const root = mkdtempSync(join(tmpdir(), 'layers-'));
    for (const file of ['libs/layers.json', 'libs/areas/areas.module.ts', 'docs/ARCHITECTURE.md']) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      cpSync(join(ROOT, file), join(root, file));
    }
    for (const folder of [
      ...layers.areas.map((area) => `areas/${area}`),
      ...layers.platform.map((folder) => `platform/${folder}`),
      ...extra,
    ])
      mkdirSync(join(root, 'libs', folder), { recursive: true });
    const output = await new Promise<string>(
      (done) =>
        void execFile(process.execPath, [join(ROOT, 'scripts/layers.mjs'), root], (error, out, errors) =>
          done(error ? errors : out),
        ),
    );
    rmSync(root, { recursive: true });
    return output;
  }

  it('must contain every folder of platform and of areas', async () => {
    expect(await check()).toContain('the order is the same everywhere');
    expect(await check('areas/surveys', 'platform/clock')).toBe(
      [
        'libs/platform/clock is not in libs/layers.json: add it after all folders that it imports',
        'libs/areas/surveys is not in libs/layers.json: add it after all folders that it imports',
        '',
      ].join('\n'),
    );
  });
});
