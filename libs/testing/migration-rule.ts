import { DataSource, type QueryRunner } from 'typeorm';
import { migrationOptions } from '#platform/database/data-source';
import type { Migration } from '#platform/database/migration-files';
import { migrateWith } from '#platform/database/migrations';
import { createEmptyDatabase } from './test-database';

/** The objects of a database, each with the properties that `problemsOf` compares. */
interface Schema {
  /** Table → number of its data file. A new number means that the table was rewritten. */
  readonly files: ReadonlyMap<string, string>;
  /** `table.column` → whether it may be null. */
  readonly columns: ReadonlyMap<string, boolean>;
  /** The names of the indexes, in the form `table.index`. */
  readonly indexes: ReadonlySet<string>;
  /** `table.constraint` → whether it is validated for every row. */
  readonly constraints: ReadonlyMap<string, boolean>;
  /**
   * OID of a function, view or trigger → its name and its definition. The definition does not contain the name, because
   * a migration may rename the object. Functions of extensions, and functions that an index, a default or a constraint
   * uses, are not included.
   */
  readonly definitions: ReadonlyMap<string, { readonly name: string; readonly definition: string }>;
  /** The migration in the table `schema_floor`: servers that do not know this migration cannot start (OPS-53). */
  readonly floor: string | null;
}

/** From this migration on, SQL files define functions, views and triggers (docs/adr/0340-sql-files.md). */
const FIRST_WITH_SQL_FILES = '0340';

/**
 * Checks the migrations from `first` on. Returns a line for each of their steps that blocks running servers (OPS-62),
 * removes a column without raising the floor, or defines an object that belongs in an SQL file (OPS-113). Applies each
 * migration to the result of the earlier migrations.
 */
export async function migrationProblems(migrations: ReadonlyMap<string, Migration>, first: string): Promise<string[]> {
  const database = await createEmptyDatabase();
  const lines: string[] = [];
  try {
    await migrateWith(database.url, new Map([...migrations].filter(([name]) => name < first)));
    const source = await new DataSource(migrationOptions(database.url, [])).initialize();
    const runner = source.createQueryRunner();
    let before = await schemaOf(runner);
    for (const [file, migration] of migrations) {
      if (file < first) continue;
      await migrateWith(database.url, new Map([...migrations].filter(([name]) => name <= file)));
      const after = await schemaOf(runner);
      lines.push(...problemsOf(file, new migration().transaction === false, before, after));
      before = after;
    }
    await runner.release();
    await source.destroy();
    return lines;
  } finally {
    await database.drop();
  }
}

function problemsOf(file: string, runsOutsideTransaction: boolean, before: Schema, after: Schema): string[] {
  const lines: string[] = [];
  const tableExistedBefore = (tableAndName: string): boolean => before.files.has(tableAndName.split('.')[0] ?? '');
  for (const [table, stored] of before.files)
    if (after.files.has(table) && after.files.get(table) !== stored) lines.push(`${file} rewrites ${table}`);
  for (const index of after.indexes)
    if (!runsOutsideTransaction && !before.indexes.has(index) && tableExistedBefore(index))
      lines.push(`${file} creates ${index} without CONCURRENTLY`);
  for (const [name, isValid] of after.constraints)
    if (isValid && !before.constraints.has(name) && tableExistedBefore(name))
      lines.push(`${file} reads every row to validate ${name}`);
  for (const [oid, { name, definition }] of after.definitions) {
    if (file >= FIRST_WITH_SQL_FILES && before.definitions.get(oid)?.definition !== definition)
      lines.push(`${file} defines ${name}, which belongs in an SQL file`);
  }
  for (const [column, mayBeNull] of before.columns) {
    if (mayBeNull && after.columns.get(column) === false)
      lines.push(`${file} reads every row to validate ${column} NOT NULL`);
    if (!after.columns.has(column) && after.floor !== file)
      lines.push(`${file} removes ${column} and does not raise the floor`);
  }
  return lines;
}

async function schemaOf(runner: QueryRunner): Promise<Schema> {
  const rows = async <Row>(sql: string): Promise<Row[]> => (await runner.query(sql)) as Row[];
  const OURS = `c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;
  const files = await rows<{ name: string; file: string }>(
    `SELECT c.relname AS name, coalesce(pg_relation_filenode(c.oid)::text, '') AS file FROM pg_class c WHERE ${OURS}`,
  );
  const columns = await rows<{ name: string; nullable: boolean }>(
    `SELECT c.relname || '.' || a.attname AS name, NOT a.attnotnull AS nullable FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE ${OURS}`,
  );
  const indexes = await rows<{ name: string }>(
    `SELECT c.relname || '.' || i.relname AS name FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid WHERE ${OURS}`,
  );
  const constraints = await rows<{ name: string; valid: boolean }>(
    `SELECT c.relname || '.' || k.conname AS name, k.convalidated AS valid FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype IN ('c', 'f') AND ${OURS}`,
  );
  const definitions = await rows<{ oid: string; name: string; definition: string }>(`
    SELECT p.oid::text AS oid, 'function ' || p.oid::regprocedure AS name,
           concat_ws(' ', pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), p.provolatile, p.proparallel, p.proisstrict, p.prosrc) AS definition
      FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.refclassid = 'pg_proc'::regclass AND d.refobjid = p.oid AND d.classid IN ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass))
    UNION ALL SELECT c.oid::text, 'view ' || c.relname, pg_get_viewdef(c.oid) FROM pg_class c WHERE c.relkind = 'v' AND c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT t.oid::text, 'trigger ' || t.tgname || ' of ' || c.relname, concat_ws(' ', t.tgfoid, t.tgtype, t.tgattr, t.tgargs, t.tgqual, t.tgoldtable, t.tgnewtable)
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND ${OURS}`);
  const [{ exists }] = (await rows<{ exists: boolean }>(
    `SELECT to_regclass('schema_floor') IS NOT NULL AS exists`,
  )) as [{ exists: boolean }];
  const [floor] = exists ? await rows<{ migration: string }>('SELECT migration FROM schema_floor') : [];
  return {
    files: new Map(files.map(({ name, file }) => [name, file])),
    columns: new Map(columns.map(({ name, nullable }) => [name, nullable])),
    indexes: new Set(indexes.map(({ name }) => name)),
    constraints: new Map(constraints.map(({ name, valid }) => [name, valid])),
    definitions: new Map(definitions.map(({ oid, ...one }) => [oid, one])),
    floor: floor?.migration ?? null,
  };
}
