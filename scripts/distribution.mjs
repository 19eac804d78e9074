/**
 * Generates docs/distribution.md. The page lists the foreign keys, unique indexes, triggers, views and statements that
 * need rows with different distribution keys (distribution-keys.mjs). `--write` writes the page. `--check` (part of
 * `npm run check`) fails if the page is not current. Both options fail if distribution-keys.mjs does not match
 * docs/schema.sql.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DISTRIBUTION } from './distribution-keys.mjs';
import { writeOrCompare } from './generated-file.mjs';
import { tablesIn } from './sql-tables.mjs';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'docs/distribution.md');
/** Files that are not loaded: tests, type declarations, programs, and code for a separate process or thread. */
const NOT_LOADED = /(?:\.(?:spec|process|thread|d)|\/main|\/run-workers)\.ts$|\/testing\//;

/** Reads docs/schema.sql: `{tables, foreignKeys, uniques, triggers, functions, views}`. */
export function parseSchema(sql) {
  const schema = {
    tables: new Map(),
    foreignKeys: [],
    uniques: [],
    triggers: [],
    functions: new Map(),
    views: new Map(),
  };
  for (const [, table, body] of sql.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(\n([\s\S]*?)\n\)/gm)) {
    const columns = [];
    for (const line of body.split('\n').map((one) => one.trim().replace(/,$/, ''))) {
      const constraint = /^CONSTRAINT "?(\w+)"? (.*)$/.exec(line);
      if (!constraint) {
        columns.push(line.split(' ')[0].replaceAll('"', ''));
        continue;
      }
      const [, name, rule] = constraint;
      const unique = /^(?:PRIMARY KEY|UNIQUE)[^(]*\(([^)]*)\)/.exec(rule);
      const refers = /^FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)\(([^)]*)\)/.exec(rule);
      if (unique) schema.uniques.push({ name, table, columns: listOf(unique[1]) });
      if (refers)
        schema.foreignKeys.push({
          name,
          table,
          columns: listOf(refers[1]),
          target: refers[2],
          targetColumns: listOf(refers[3]),
        });
    }
    schema.tables.set(table, columns);
  }
  for (const [, name, table, columns] of sql.matchAll(
    /^CREATE UNIQUE INDEX (\w+) ON (?:ONLY )?(?:public\.)?(\w+) USING \w+ \((.*?)\)(?: WHERE .*)?;$/gm,
  ))
    schema.uniques.push({ name, table, columns: listOf(columns) });
  for (const [, name, table, called] of sql.matchAll(
    /^CREATE TRIGGER (\w+) .*? ON (\w+) .*?EXECUTE FUNCTION (\w+)\(/gm,
  ))
    schema.triggers.push({ name, table, function: called });
  for (const [, name, body] of sql.matchAll(
    /^CREATE OR REPLACE FUNCTION (\w+)\([\s\S]*?AS \$function\$([\s\S]*?)\$function\$/gm,
  ))
    schema.functions.set(name, body);
  for (const [, name, body] of sql.matchAll(/^CREATE VIEW (\w+) AS\n([\s\S]*?);$/gm)) schema.views.set(name, body);
  return schema;
}

/**
 * Returns lists of the foreign keys, unique indexes, triggers and views that need rows with different distribution
 * keys: `{name, table, why}`. A further list, `statements`, contains every statement with the servers on which it runs.
 */
export function findCrossings(schema, distribution, statements) {
  const known = new Set([...schema.tables.keys(), ...schema.views.keys()]);
  const ofTables = (names) => [...new Set(names)].filter((name) => distribution[name]?.column);
  const kindsOf = (names) => [...new Set(ofTables(names).map((name) => distribution[name].kind))];
  const baseOf = (name) => (schema.views.has(name) ? tablesIn(schema.views.get(name), known)[0].table : name);
  const context = { schema, distribution, known, ofTables, kindsOf, baseOf };
  const placed = statements.map((one) => ({ ...one, ...serversOf(one.text, context) }));
  return {
    foreignKeys: schema.foreignKeys.flatMap((key) => findingsOf(key, foreignKeyFault(key, distribution))),
    uniques: schema.uniques.flatMap((unique) => findingsOf(unique, uniqueFault(unique, distribution))),
    triggers: schema.triggers.flatMap((trigger) => findingsOf(trigger, triggerFault(trigger, context))),
    views: [...schema.views].flatMap(([name, body]) => {
      const kinds = kindsOf(tablesIn(body, known).map(({ table }) => baseOf(table)));
      return kinds.length > 1 ? [{ name, table: baseOf(name), why: `reads tables of ${listed(kinds)}` }] : [];
    }),
    statements: placed,
  };
}

function findingsOf({ name, table }, why) {
  return why === null ? [] : [{ name, table, why }];
}

function foreignKeyFault({ table, columns, target, targetColumns }, distribution) {
  const [from, to] = [distribution[table], distribution[target]];
  if (to.reference || (from.local && to.local)) return null;
  if (to.local) return `refers to \`${target}\`, which is on the coordinator only`;
  if (!from.column) return `refers to rows of \`${target}\`, which are distributed`;
  if (from.kind !== to.kind) return `refers from ${from.kind} to ${to.kind} (\`${target}\`)`;
  return columns.includes(from.column) && targetColumns.includes(to.column)
    ? null
    : `has to include \`${from.column}\`, also in \`${target}\``;
}

function uniqueFault({ table, columns }, distribution) {
  const { column, isNew } = distribution[table];
  if (!column || columns.includes(column)) return null;
  return `has to include \`${column}\`${isNew ? ', a new column' : ''}`;
}

/** The tables that a database function reads or writes, directly or through the functions that it calls. */
function reachOf(name, { schema, known }, seen = new Set()) {
  if (seen.has(name) || !schema.functions.has(name)) return [];
  seen.add(name);
  const body = schema.functions.get(name);
  const called = [...body.matchAll(/\b(\w+)\(/g)].map(([, one]) => one);
  return [
    ...tablesIn(body, known).map(({ table }) => table),
    ...called.flatMap((one) => reachOf(one, { schema, known }, seen)),
  ];
}

function triggerFault(trigger, context) {
  const { distribution, kindsOf, baseOf } = context;
  const own = distribution[trigger.table];
  if (!own.column) return null;
  const reached = reachOf(trigger.function, context).map(baseOf);
  const onCoordinator = [...new Set(reached.filter((table) => distribution[table]?.local))];
  const copies = [...new Set(reached.filter((table) => distribution[table]?.reference))];
  // The tables of the kinds `topic` and `server` store the feed of changes. They are not reported, because a new entry
  // of the feed is stored on the server of the changed object.
  const others = kindsOf(reached).filter((kind) => kind !== own.kind && kind !== 'topic' && kind !== 'server');
  if (others.length > 0) return `reaches tables of ${listed(others)}`;
  if (onCoordinator.length > 0) return `reaches ${code(onCoordinator)} on the coordinator`;
  return copies.length > 0 ? `writes or reads ${code(copies)} on every server` : null;
}

/**
 * Returns `servers`, the servers on which a statement runs, and other facts about the statement. `coordinator`: only
 * the coordinator. `one`: one server, because the statement uses one key value for all its distributed tables. `every`:
 * every server, because the statement uses several key values, or none for at least one of its distributed tables; all
 * these tables have the same kind of key. `crosses`: its distributed tables have different kinds of keys.
 */
function serversOf(text, { schema, distribution, known, kindsOf, baseOf }) {
  const found = tablesIn(text, known).map((one) => ({ ...one, table: baseOf(one.table) }));
  const writes = found.some(({ access }) => access === 'writes');
  const locks = /\bFOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)\b/i.test(text);
  const tables = [...new Set(found.map(({ table }) => table))];
  const kinds = kindsOf(tables);
  const facts = { writes, locks, tables, kinds };
  if (kinds.length === 0) return { servers: 'coordinator', ...facts };
  if (kinds.length > 1) return { servers: 'crosses', ...facts };
  const distributed = found.filter(({ table }) => distribution[table].column);
  const classOf = equalityClasses(text, found, schema);
  const keys = distributed.map(({ table, alias, access }) => {
    const { column } = distribution[table];
    if (access === 'writes' && insertedColumns(text, table).includes(column)) return 'inserted';
    return classOf(`${alias}.${column}`);
  });
  const bound = new Set(keys.filter((key) => key !== 'inserted'));
  return { servers: !bound.has(null) && bound.size <= 1 ? 'one' : 'every', ...facts };
}

/** The columns in `INSERT INTO table (…)`. */
function insertedColumns(text, table) {
  const view = table.replace(/^all_/, '');
  const [, columns] = new RegExp(`INSERT INTO (?:${table}|${view})(?: AS \\w+)? \\(([^)]*)\\)`, 'i').exec(text) ?? [];
  return columns === undefined ? [] : listOf(columns);
}

/**
 * Two terms that the statement compares with `=` are in one class. Returns a function that takes `alias.column` and
 * returns the name of the column's class, or null if the statement does not compare the column with any term.
 */
function equalityClasses(text, found, schema) {
  const parent = new Map();
  const rootOf = (term) => {
    while (parent.has(term) && parent.get(term) !== term) term = parent.get(term);
    return term;
  };
  /** Returns a column with the alias of its table. */
  const withAlias = (term) => {
    if (/^(?:\$|\d|')/.test(term) || term.includes('.')) return term;
    const owner = found.find(({ table }) => schema.tables.get(table)?.includes(term));
    return owner ? `${owner.alias}.${term}` : term;
  };
  for (const [, left, right] of text.matchAll(/([\w.$]+)(?:::\w+)?\s*=\s*(?:ANY\s*\()?([\w.$]+)/gi)) {
    const [a, b] = [withAlias(left.toLowerCase()), withAlias(right.toLowerCase())];
    for (const term of [a, b]) if (!parent.has(term)) parent.set(term, term);
    parent.set(rootOf(a), rootOf(b));
  }
  return (term) => (parent.has(term) ? rootOf(term) : null);
}

/** Loads the sources, and returns every named statement in them: `{name, text}`. */
export function namedStatements() {
  const require = createRequire(import.meta.url);
  require('../libs/testing/register-typescript.cjs');
  for (const folder of ['libs/platform', 'libs/areas', 'libs/web', 'apps']) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      const source = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !source.endsWith('.ts') || NOT_LOADED.test(source)) continue;
      if (/\b(?:statement|shortRead)\(/.test(readFileSync(source, 'utf8'))) require(source);
    }
  }
  const { statementTexts } = require('../libs/platform/database/transaction.ts');
  return [...statementTexts()].map(([name, text]) => ({ name, text })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function pageOf(schema, found) {
  const { foreignKeys, uniques, triggers, views, statements } = found;
  const statementsOn = (servers) => statements.filter((one) => one.servers === servers);
  const entries = Object.entries(DISTRIBUTION);
  const lockers = statements.filter(({ locks, servers }) => locks && (servers === 'crosses' || servers === 'every'));
  const count = (list, test) => list.filter(test).length;
  return `# Distribution keys

\`npm run distribution\` writes this page from scripts/distribution-keys.mjs, docs/schema.sql and the named statements of the code. It lists what must
change before Citus can distribute the tables ([ADR 470](adr/0470-past-one-primary.md)). The service does not use Citus. Statements that are
composed at the time of a request (scripts/sql-texts.json) are not in the lists.

Of ${entries.length} tables, ${count(entries, ([, { column }]) => column)} are distributed by a key, ${count(entries, ([, { reference }]) => reference)} are reference tables (a copy on every server), and ${count(entries, ([, { local }]) => local)} are local
(on one server only).

| kind | in total | must change |
|---|--:|--:|
| tables: a new column for their key | ${entries.length} | ${count(entries, ([, { isNew }]) => isNew)} |
| foreign keys | ${schema.foreignKeys.length} | ${foreignKeys.length} |
| primary keys, unique constraints and unique indexes | ${schema.uniques.length} | ${uniques.length} |
| triggers | ${schema.triggers.length} | ${triggers.length} |
| views | ${schema.views.size} | ${views.length} |
| statements that combine tables with different keys, such as event and account | | ${statementsOn('crosses').length}, of them ${count(statementsOn('crosses'), ({ writes }) => writes)} writes |
| statements that do not contain the value of the key, and so run on every shard | | ${statementsOn('every').length}, of them ${count(statementsOn('every'), ({ writes }) => writes)} writes |
| statements that lock rows and do not stay on one shard | | ${lockers.length} |

Citus supports triggers on distributed tables only with the setting \`citus.enable_unsafe_triggers\`. A trigger in the list reads or writes rows on other
shards, and must be replaced by a statement of the service or of a job. In the lists of statements, a view counts as its first table.

## Tables

| table | distribution | reason |
|---|---|---|
${entries.map(([table, entry]) => `| \`${table}\` | ${distributionOf(entry)} | ${entry.reason} |`).join('\n')}

## Foreign keys

${bullets(foreignKeys)}

## Primary keys, unique constraints and unique indexes

${bullets(uniques)}

## Triggers

${bullets(triggers)}

## Views

${bullets(views)}

## Statements that lock rows and do not stay on one shard

${lockers.map(lineOf).join('\n')}

## Statements that combine tables with different keys

${statementsOn('crosses').map(lineOf).join('\n')}

## Statements that do not contain the value of the key

${statementsOn('every').map(lineOf).join('\n')}
`;
}

function distributionOf({ column, kind, isNew, reference }) {
  if (column) return `by \`${column}\`${isNew ? ' (new)' : ''}: ${kind}`;
  return reference ? 'reference' : 'local';
}

function bullets(list) {
  return list.map(({ name, table, why }) => `- \`${table}\`: \`${name}\` ${why}`).join('\n');
}

function lineOf({ name, writes, locks, tables }) {
  return `- \`${name}\`${writes ? ', a write' : ''}${locks ? ', locks rows' : ''}: ${code(tables)}`;
}

function listed(names) {
  return [...names].sort().join(', ');
}

function code(names) {
  return [...names]
    .sort()
    .map((name) => `\`${name}\``)
    .join(', ');
}

function listOf(columns) {
  return columns.split(',').map((column) => column.trim().replaceAll('"', ''));
}

/**
 * Error messages for tables without an entry, entries without a table, keys that are not columns, and new keys that
 * already are columns.
 */
export function tableFaults(schema, distribution) {
  return [
    ...[...schema.tables.keys()]
      .filter((table) => !distribution[table])
      .map(
        (table) =>
          `${table} has no entry in scripts/distribution-keys.mjs: add its column, reference or local, and the reason`,
      ),
    ...Object.keys(distribution)
      .filter((table) => !schema.tables.has(table))
      .map((table) => `${table} is in scripts/distribution-keys.mjs, but is not a table of docs/schema.sql`),
    ...Object.entries(distribution)
      .filter(
        ([table, { column, isNew }]) =>
          column && schema.tables.has(table) && schema.tables.get(table).includes(column) === isNew,
      )
      .map(
        ([table, { column, isNew }]) =>
          `${table}.${column} ${isNew ? 'already exists, so it is not new' : 'is not a column'}`,
      ),
  ];
}

function main() {
  const schema = parseSchema(readFileSync(join(ROOT, 'docs/schema.sql'), 'utf8'));
  const faults = tableFaults(schema, DISTRIBUTION);
  for (const line of faults) console.error(line);
  if (faults.length > 0) return (process.exitCode = 1);
  const found = findCrossings(schema, DISTRIBUTION, namedStatements());
  const page = pageOf(schema, found);
  const onOneServer = found.statements.filter(({ servers }) => servers === 'one' || servers === 'coordinator').length;
  if (writeOrCompare(FILE, page, 'npm run distribution'))
    console.log(
      `Distribution: ${schema.tables.size} tables have an entry, ${onOneServer} of ${found.statements.length} statements stay on one server.`,
    );
}

if (process.argv[1] === import.meta.filename) main();
