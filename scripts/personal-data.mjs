// docs/personal-data.md, made of the map of personal data (libs/areas/own-data): `--write` writes it, `--check` fails when it is not current.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
require('../libs/testing/register-typescript.cjs');
const { TABLES_WITHOUT_PERSONAL_DATA, PERSONAL_DATA } = require('../libs/areas/own-data/personal-data.map.ts');

const FILE = join(import.meta.dirname, '../docs/personal-data.md');
const SHOWN = { value: 'yes', day: 'yes', count: 'yes', sealed: 'yes, in clear', person: 'the slug', file: 'the file' };
const FATES = {
  goes: 'goes',
  emptied: 'emptied',
  pseudonymised: 'points to a pseudonym',
  passes: 'passes to somebody else',
  stays: 'stays',
};

const page = `# Personal data

Every column of the database that holds something of a person or points to one, whether it is in the export of their data, and what becomes of
it when they go (docs/rules/own-data.md). Written by \`npm run personal-data\` from libs/areas/own-data/map, which the export itself follows; a test
holds it against the schema, so that no column can be forgotten.

- *goes*: the row is deleted. *emptied*: the row stays for others, the value does not.
- *a pseudonym*: a row of \`users\` that belongs to nobody, named "deleted"; a different one in each event.
- *stays*: others need it, or it has to be kept.

${Object.entries(PERSONAL_DATA).map(section).join('\n')}
## Tables without anything of a person

${Object.entries(TABLES_WITHOUT_PERSONAL_DATA)
  .map(([table, why]) => `- \`${table}\`: ${why}`)
  .join('\n')}
`;

if (process.argv.includes('--write')) writeFileSync(FILE, page);
else if (read() !== page) {
  console.error('docs/personal-data.md is out of date: run npm run personal-data.');
  process.exitCode = 1;
} else console.log(`Personal data: ${Object.keys(PERSONAL_DATA).length} tables, their page is current.`);

function section([table, { file, columns, notPersonal }]) {
  const rows = Object.entries(columns).map(
    ([name, column]) =>
      `| \`${name}\` | ${exported(column)} | ${FATES[column.fate]}${column.note ? ` (${column.note})` : ''} |`,
  );
  return [
    `## ${table}`,
    '',
    file ? `In the export: \`${file}.json\`.` : 'Not in the export.',
    '',
    '| column | in the export | when the person goes |',
    '|---|---|---|',
    ...rows,
    '',
    ...(notPersonal.length > 0 ? [`Not personal: ${notPersonal.map((name) => `\`${name}\``).join(', ')}.`, ''] : []),
  ].join('\n');
}

function exported({ shown, withheld }) {
  return shown === null ? `no: ${withheld}` : (SHOWN[shown] ?? 'the id, as in the API');
}

function read() {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return null;
  }
}
