// Generates docs/personal-data.md from the map of personal data (libs/areas/own-data): `--write` writes the page,
// `--check` fails if the page is not current.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { writeOrCompare } from './generated-file.mjs';

const require = createRequire(import.meta.url);
require('../libs/testing/register-typescript.cjs');
const { TABLES_WITHOUT_PERSONAL_DATA, PERSONAL_DATA } = require('../libs/areas/own-data/personal-data.map.ts');

const FILE = join(import.meta.dirname, '../docs/personal-data.md');
const SHOWN = {
  value: 'yes',
  day: 'yes',
  count: 'yes',
  sealed: 'yes, decrypted',
  person: 'the slug',
  post_slug: 'the slug of the post',
  template: 'the fields, as in the API; the password decrypted',
  file: 'the file',
};
const ERASURE_EFFECTS = {
  goes: 'deleted',
  emptied: 'emptied',
  pseudonymised: 'points to a pseudonym',
  passes: 'passes to another person',
  stays: 'kept',
};

const page = `# Personal data

This page lists every column of the database that contains data of a person or refers to a person. For each column, it shows whether a data export
contains the column, and what happens to the column when the person is erased (docs/rules/own-data.md). \`npm run personal-data\` generates the page
from libs/areas/own-data/map. The export uses the same map, and a test compares the map with the schema, so that no column is forgotten.

- *deleted*: the row is deleted.
- *emptied*: the value is deleted; the row is kept, because other people need it.
- *points to a pseudonym*: the value refers to a row of \`users\` named "deleted", which belongs to no account. A person gets a different pseudonym at each event, post and group.
- *passes to another person*: another person becomes the owner of the row.
- *kept*: other people need the value, or the service has to store it.

${Object.entries(PERSONAL_DATA).map(section).join('\n')}
## Tables without personal data

${Object.entries(TABLES_WITHOUT_PERSONAL_DATA)
  .map(([table, why]) => `- \`${table}\`: ${why}`)
  .join('\n')}
`;

if (writeOrCompare(FILE, page, 'npm run personal-data'))
  console.log(`docs/personal-data.md is current (${Object.keys(PERSONAL_DATA).length} tables).`);

function section([table, { file, columns, added = {}, notPersonal }]) {
  const rows = Object.entries(columns).map(([name, column]) => {
    const effect = ERASURE_EFFECTS[column.erasureEffect] + (column.note ? ` (${column.note})` : '');
    return `| \`${name}\` | ${exported(column)} | ${effect} |`;
  });
  return [
    `## ${table}`,
    '',
    file ? `In the export: \`${file}.json\`.` : 'Not in the export.',
    '',
    '| column | in the export | when the person is erased |',
    '|---|---|---|',
    ...rows,
    '',
    ...(Object.keys(added).length > 0
      ? [
          `The export adds: ${Object.keys(added)
            .map((name) => `\`${name}\``)
            .join(', ')}.`,
          '',
        ]
      : []),
    ...(notPersonal.length > 0 ? [`Not personal: ${notPersonal.map((name) => `\`${name}\``).join(', ')}.`, ''] : []),
  ].join('\n');
}

function exported({ exportForm, withheld }) {
  return exportForm === null ? `no: ${withheld}` : (SHOWN[exportForm] ?? 'the id, as in the API');
}
