import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** SQL expressions that return PostgreSQL's own time. The sandbox cannot make them return the time of its clock. */
const UNREPLACEABLE_TIME =
  /\b(CURRENT_(TIMESTAMP|DATE|TIME)|current_(timestamp|date|time)|LOCALTIME(STAMP)?|(statement|transaction)_timestamp\s*\(|timeofday\s*\(|pg_catalog\.(now|clock_timestamp))|'now'::/;

const files = ['libs', 'apps'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name) && !name.endsWith('.spec.ts') && !/^(testing|sdk)\//.test(name))
    .map((name) => join(folder, name)),
);

// SBX-7
describe('SQL statements of the service', () => {
  it('get the time only from functions that the sandbox replaces', () => {
    const found = files.filter(
      (file) =>
        file !== 'apps/server/sandbox/sandbox-database.ts' &&
        UNREPLACEABLE_TIME.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect([files.length > 500, found]).toEqual([true, []]);
  });

  it.each([
    'SELECT CURRENT_DATE',
    'SELECT statement_timestamp()',
    "SELECT 'now'::timestamptz",
    'SELECT pg_catalog.now()',
  ])('are found by the pattern of this test if they get the time in another way: %s', (sql) =>
    expect(sql).toMatch(UNREPLACEABLE_TIME),
  );
});
