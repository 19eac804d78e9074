// Generates docs/schema.sql from the catalog of a database to which all migrations and SQL files have been applied:
// `--write` stores the result; otherwise (`--check`) the program fails if the stored file is not current.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { writeOrCompare } from './generated-file.mjs';
import { withMigratedDatabase } from './migrated-database.mjs';
import { OWNED } from './table-owners.mjs';

const require = createRequire(import.meta.url);
const { areas, platform } = require('../libs/layers.json');
require('../libs/testing/register-typescript.cjs');
const { sqlFiles } = require('../libs/platform/database/sql-files.ts');
const { schemaText } = require('../libs/testing/schema-text.ts');

const FILE = join(import.meta.dirname, '../docs/schema.sql');
const HEAD = `-- The schema of the database: written by \`npm run schema\`, not by hand. Functions, views and triggers are changed in
-- libs/*/*/sql, tables and indexes by a numbered migration (docs/adr/0340-sql-files.md).
`;

/**
 * The folder that owns each table, function or sequence. scripts/table-owners.mjs lists the owners of tables. A
 * function belongs to the folder whose SQL file creates the function. The owners of sequences are set below.
 */
const OWNERS = new Map(Object.entries(OWNED).flatMap(([owner, names]) => names.map((name) => [name, owner])));
for (const { name, text } of sqlFiles()) {
  const [, group, folder] = name.split('/');
  for (const [, functionName] of text.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm))
    OWNERS.set(functionName, group === 'platform' ? `platform/${folder}` : folder);
}
// TypeORM's table, and sequences that no column owns.
OWNERS.set('migrations', 'platform/database')
  .set('versions', 'platform/database')
  .set('change_numbers', 'platform/changes')
  .set('credit_transfers', 'credits');

const folders = [...platform.map((folder) => `platform/${folder}`), ...areas];
const text = `${HEAD}\n${await withMigratedDatabase((url) => schemaText(url, folders, (name) => OWNERS.get(name)))}`;
if (writeOrCompare(FILE, text, 'npm run schema')) console.log('Schema: docs/schema.sql is current.');
