/**
 * `npm run full-scans` (part of `npm run check`) finds statements that must read a whole table because no index fits.
 * scripts/full-scans.json must list each such statement with its reason. A table is large unless `smallTables` of
 * full-scans.json lists it; scans of small tables do not count. PostgreSQL plans every named statement in a database
 * without rows, with `enable_seqscan` off. A sequential scan in such a plan therefore means that PostgreSQL cannot read
 * the table in another way. The statements of Discover's pages are not checked, because they are composed at run time.
 * A scan of a whole index is not found.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { namedStatements } from './distribution.mjs';
import { withMigratedDatabase } from './migrated-database.mjs';

const LIST = join(import.meta.dirname, 'full-scans.json');
/** Statements that PostgreSQL cannot plan: they control a transaction, or their tables belong to pg-boss. */
const WITHOUT_PLAN = new Set([
  'apply_begin_part',
  'apply_end_part',
  'apply_undo_part',
  'audit_snapshot',
  'commit',
  'mail_queues',
  'start',
]);

const require = createRequire(import.meta.url);
const statements = namedStatements();
const { withClient } = require('../libs/testing/test-cluster.ts');

/** Returns the tables that a plan reads with a sequential scan. */
function scanned({ 'Node Type': type, 'Relation Name': table, Plans: parts = [] }) {
  return [...(type === 'Seq Scan' ? [table] : []), ...parts.flatMap(scanned)];
}

/** Returns a map from each statement that reads whole tables to the names of these tables. */
async function fullScans(client) {
  const found = new Map();
  await client.query('SET enable_seqscan = off');
  for (const { name, text } of statements) {
    if (WITHOUT_PLAN.has(name)) continue;
    const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
    // A weekly partition counts as its table: changes_20261123 is a part of changes.
    const tables = scanned(rows[0]['QUERY PLAN'][0].Plan).map((table) => table.replace(/_\d{8}$/, ''));
    if (tables.length > 0) found.set(name, [...new Set(tables)].sort());
  }
  return found;
}

/** Compares the statements that read whole tables with scripts/full-scans.json. Returns a line for each difference. */
function differences(found, { smallTables, statements: allowed }) {
  const large = new Map(
    [...found]
      .map(([name, tables]) => [name, tables.filter((table) => !(table in smallTables))])
      .filter(([, tables]) => tables.length > 0),
  );
  const read = new Set([...found.values()].flat());
  return [
    ...[...large]
      .filter(([name]) => !(name in allowed))
      .map(
        ([name, tables]) =>
          `The statement ${name} reads all rows of ${tables.join(', ')}: change it, add an index, or list it in scripts/full-scans.json with its reason.`,
      ),
    ...Object.keys(allowed)
      .filter((name) => !large.has(name))
      .map(
        (name) => `scripts/full-scans.json: the statement ${name} does not read all rows of a large table any more.`,
      ),
    ...Object.keys(smallTables)
      .filter((table) => !read.has(table))
      .map((table) => `scripts/full-scans.json: no statement reads all rows of ${table} any more.`),
  ];
}

const found = await withMigratedDatabase((url) => withClient(url, fullScans));
const lines = differences(found, JSON.parse(readFileSync(LIST, 'utf8')));
for (const line of lines) console.error(line);
if (lines.length > 0) process.exitCode = 1;
else
  console.log(
    `${statements.length} statements; each one that reads all rows of a large table is listed with its reason.`,
  );
