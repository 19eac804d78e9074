// `tables.mjs [ROOT]`: checks that only the permitted code writes and reads each table. Parses the SQL in the
// TypeScript files of libs/ and apps/, except tests and the folders `testing`. Fails if code writes a table of another
// owner, or reads such a table without an entry in table-owners.mjs. Without ROOT, also fails if a table has no owner,
// or if an entry of table-owners.mjs is not needed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { PLACEHOLDER, SQL, tablesIn } from './sql-tables.mjs';
import { FOREIGN_READS, OWNED } from './table-owners.mjs';

const ROOT = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const OWNER_OF = new Map(Object.entries(OWNED).flatMap(([owner, tables]) => tables.map((table) => [table, owner])));

function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sourceFiles(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts') ? [path] : [];
  });
}

/**
 * Returns the component to which a file belongs, with the name that table-owners.mjs uses for it:
 * `libs/areas/events/…` belongs to `events`, `libs/platform/media/…` to `platform/media`, `apps/cli/…` to `cli`.
 */
function componentOf(file) {
  const [top, second, third] = relative(ROOT, file).split('/');
  if (top === 'apps') return second;
  if (second === 'areas') return third;
  return second === 'platform' ? `platform/${third}` : second;
}

/**
 * Returns every string in the file, except those of import declarations, with its line. A template is one string, with
 * `PLACEHOLDER` for each `${…}`.
 */
function textsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts = [];
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) texts.push({ text: node.text, line: lineOf(source, node) });
    if (ts.isTemplateExpression(node)) {
      const text = node.head.text + node.templateSpans.map((span) => PLACEHOLDER + span.literal.text).join('');
      texts.push({ text, line: lineOf(source, node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function lineOf(source, node) {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/**
 * Returns how a string accesses tables. A string that is only the name of a table, such as `event_images`, counts as a
 * write, because other code can put the name into a statement. If such a string has no `_`, it is ignored, because it
 * can be an ordinary word.
 */
function accessesOf(text) {
  if (OWNER_OF.has(text) && text.includes('_')) return [{ table: text, access: 'writes' }];
  return SQL.test(text) ? tablesIn(text, OWNER_OF) : [];
}

function accessErrors() {
  const files = ['libs', 'apps'].flatMap((folder) => sourceFiles(join(ROOT, folder)));
  const wrong = [];
  const foreignAccesses = new Set();
  for (const file of files) {
    const component = componentOf(file);
    for (const { text, line } of textsOf(file)) {
      for (const { table, access } of accessesOf(text)) {
        const owner = OWNER_OF.get(table);
        if (owner === component) continue;
        const where = `${relative(ROOT, file)}:${line}`;
        const listed =
          access === 'reads' && FOREIGN_READS.some((read) => read.table === table && read.by.includes(component));
        if (listed) foreignAccesses.add(`${table} ${component}`);
        else wrong.push(`${where}: ${component} ${access} ${table}, which belongs to ${owner}`);
      }
    }
  }
  return { wrong: [...new Set(wrong)], foreignAccesses, files: files.length };
}

/**
 * Returns a message for each table or view that has no owner, and for each name in `OWNED` that is no table or view.
 * The tables are found in the migrations, and the views in the migrations and in the files `sql/views.sql`.
 */
function ownershipErrors() {
  const existing = new Set();
  for (const name of readdirSync(join(ROOT, 'migrations'))
    .filter((entry) => entry.endsWith('.ts'))
    .sort()) {
    const text = readFileSync(join(ROOT, 'migrations', name), 'utf8');
    const tablesAfter = (verb) =>
      [
        ...text.matchAll(
          new RegExp(
            `\\b${verb}(?:\\s+UNLOGGED|\\s+MATERIALIZED)?\\s+(?:TABLE|VIEW)\\s+(?:IF\\s+(?:NOT\\s+)?EXISTS\\s+)?(\\w+)`,
            'g',
          ),
        ),
      ].map(([, table]) => table);
    // After a table is renamed, a view can have the table's former name.
    const renamed = [...text.matchAll(/\bALTER\s+TABLE\s+(\w+)\s+RENAME\s+TO\s+(\w+)/g)].flatMap(([, from, to]) => [
      from,
      to,
    ]);
    const created = [...tablesAfter('CREATE'), ...renamed];
    for (const table of created) existing.add(table);
    // If a file creates a table, it drops this table only in `down`.
    for (const table of tablesAfter('DROP')) if (!created.includes(table)) existing.delete(table);
  }
  for (const group of ['platform', 'areas']) {
    for (const component of readdirSync(join(ROOT, 'libs', group))) {
      const views = join(ROOT, 'libs', group, component, 'sql/views.sql');
      if (existsSync(views))
        for (const [, view] of readFileSync(views, 'utf8').matchAll(/^CREATE OR REPLACE VIEW (\w+)/gm))
          existing.add(view);
    }
  }
  return [
    ...[...existing]
      .filter((table) => !OWNER_OF.has(table))
      .map((table) => `${table} has no owner: add it to scripts/table-owners.mjs`),
    ...[...OWNER_OF.keys()]
      .filter((table) => !existing.has(table))
      .map((table) => `${table} has an owner, but no migration or SQL file creates it`),
  ];
}

const { wrong, foreignAccesses, files } = accessErrors();
const stale = FOREIGN_READS.flatMap(({ table, by }) =>
  by
    .filter((component) => !foreignAccesses.has(`${table} ${component}`))
    .map((component) => `${component} is listed as a reader of ${table}, but does not read it`),
);
const all = process.argv[2] ? wrong : [...wrong, ...ownershipErrors(), ...stale];
for (const line of all) console.error(line);
if (all.length > 0) {
  console.error(
    `\n${all.length} errors: code that does not own a table must read it through a reader of the owner, and change it through the owner's commands (docs/ARCHITECTURE.md).`,
  );
  process.exitCode = 1;
} else {
  console.log(
    `${OWNER_OF.size} tables and views, ${Object.keys(OWNED).length} owners: each table is written only by its owner (${files} files).`,
  );
}
