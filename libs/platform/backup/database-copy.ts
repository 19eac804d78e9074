import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from, to } from 'pg-copy-streams';
import { OperatorError } from '../config/operator-error';
import { parsed, type ArchiveWriter, type Entry } from './archive';

/** The archive's entry with the `Schema`, and the beginning of the names of the entries with the rows of tables. */
const SCHEMA_ENTRY = 'database/schema.json';
const TABLE_PREFIX = 'database/tables/';

/** The description of the database: its tables, partitions and sequences, without the rows. */
interface Schema {
  /** The tables with their stored columns. Columns that PostgreSQL computes are not included. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** Partitions of tables. A new installation has only the current partitions, so the older ones must be created. */
  readonly partitions: readonly { readonly name: string; readonly parent: string; readonly bound: string }[];
  readonly sequences: readonly { readonly name: string; readonly value: string; readonly called: boolean }[];
}

const SELECT_TABLES = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     -- The list of applied SQL files is not copied, because the next start of a server applies its own files.
     AND c.relname <> 'database_files'
   GROUP BY c.relname ORDER BY c.relname`;
const SELECT_PARTITIONS = `
  SELECT c.relname AS name, p.relname AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class p ON p.oid = i.inhparent
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relispartition ORDER BY c.relname`;
const SELECT_SEQUENCES = `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename`;

/** The tables that a backup contains, as quoted names. The rows of a partition are rows of its table. */
export async function tableNames(client: Client): Promise<string[]> {
  const { rows } = await client.query<Schema['tables'][number]>(SELECT_TABLES);
  return rows.map(({ name }) => quoted(name));
}

/**
 * Writes the `Schema` and the rows of all tables into the archive. `client` must be in a transaction that sees one
 * snapshot of the database. `workFolder` must have enough space for the largest table.
 *
 * @returns the number of rows by table
 */
export async function dumpDatabase(
  client: Client,
  archive: ArchiveWriter,
  workFolder: string,
  progress: (line: string) => void,
): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<Schema['tables'][number]>(SELECT_TABLES);
  const { rows: partitions } = await client.query<Schema['partitions'][number]>(SELECT_PARTITIONS);
  const sequences = [];
  for (const { name } of (await client.query<{ name: string }>(SELECT_SEQUENCES)).rows) {
    const { rows } = await client.query<{ value: string; called: boolean }>(
      `SELECT last_value AS value, is_called AS called FROM ${quoted(name)}`,
    );
    sequences.push({ name, ...rows[0]! });
  }
  await archive.addText(SCHEMA_ENTRY, JSON.stringify({ tables, partitions, sequences } satisfies Schema));

  const counts: Record<string, number> = {};
  for (const { name, columns } of tables) {
    // In a tar archive the size precedes the bytes, so the table is first written to disk.
    const path = join(workFolder, 'table');
    const copy = client.query(to(`COPY (SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}) TO STDOUT`));
    await pipeline(copy, createWriteStream(path, { mode: 0o600 }));
    await archive.add(`${TABLE_PREFIX}${name}`, (await stat(path)).size, createReadStream(path));
    await rm(path);
    counts[name] = copy.rowCount;
    if (copy.rowCount > 0) progress(`${name}: ${copy.rowCount} rows`);
  }
  return counts;
}

/**
 * Loads the entries written by `dumpDatabase`; existing rows are deleted. The whole load belongs to one transaction,
 * which the calling code begins and ends.
 */
export class DatabaseLoad {
  private schema: Schema | null = null;
  /** The tables of the backup. Their names are read from the target database, not from the archive (`knownTable`). */
  private tables: Schema['tables'] = [];
  private loaded = 0;
  /** Triggers with ENABLE ALWAYS (the triggers of the audit log). After the load they get ENABLE ALWAYS again. */
  private alwaysTriggers: { table: string; name: string }[] = [];
  private foreignKeys: { table: string; name: string; definition: string }[] = [];

  constructor(private readonly client: Client) {}

  /** Number of rows loaded so far. */
  get rows(): number {
    return this.loaded;
  }

  /** Loads an entry of the database and returns true. Returns false for any other entry. */
  async loadEntry({ name, content }: Entry): Promise<boolean> {
    if (name === SCHEMA_ENTRY) {
      await this.prepare(readSchema(await text(content)));
      return true;
    }
    if (!name.startsWith(TABLE_PREFIX)) return false;
    const table = this.tables.find((one) => one.name === name.slice(TABLE_PREFIX.length));
    if (!table) throw new OperatorError(`The backup has a table that its list of tables does not contain: ${name}.`);
    const copy = this.client.query(
      from(`COPY ${quoted(table.name)} (${table.columns.map(quoted).join(', ')}) FROM STDIN`),
    );
    await pipeline(content, copy);
    this.loaded += copy.rowCount;
    return true;
  }

  /**
   * Sets the sequences, replaces ids of transactions, enables the triggers, and adds the foreign keys again. Fails if a
   * row refers to a missing row.
   */
  async finish(): Promise<void> {
    if (!this.schema) throw new OperatorError('The backup has no database.');
    const { rows: sequences } = await this.client.query<{ name: string }>(SELECT_SEQUENCES);
    const unknown = this.schema.sequences.find(({ name }) => !sequences.some((one) => one.name === name));
    if (unknown) throw new OperatorError(`The database has no sequence ${unknown.name}, but the backup does.`);
    for (const { name, value, called } of this.schema.sequences)
      await this.client.query('SELECT setval($1::regclass, $2, $3)', [quoted(name), value, called]);
    for (const { name } of this.tables) {
      // These columns contain transaction ids or a snapshot of the original database, which have no meaning in this
      // database. The id of the current transaction replaces the ids, and null replaces the snapshot.
      const { rows } = await this.client.query<{ column: string; is_snapshot: boolean }>(SELECT_TRANSACTION_COLUMNS, [
        name,
      ]);
      for (const { column, is_snapshot } of rows)
        await this.client.query(
          `UPDATE ${quoted(name)} SET ${quoted(column)} = ${is_snapshot ? 'NULL' : 'pg_current_xact_id()'}`,
        );
      await this.client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    }
    for (const { table, name } of this.alwaysTriggers)
      await this.client.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${quoted(name)}`);
    for (const { table, name, definition } of this.foreignKeys)
      await this.client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`);
  }

  /**
   * Drops the foreign keys, because tables refer to each other in cycles; `finish` adds them again, which checks all
   * rows. Creates missing partitions. Disables triggers, because the rows already contain the effects of the triggers.
   */
  private async prepare(schema: Schema): Promise<void> {
    this.schema = schema;
    const { rows: known } = await this.client.query<Schema['tables'][number]>(SELECT_TABLES);
    this.tables = schema.tables.map((table) => knownTable(known, table));
    this.foreignKeys = (
      await this.client.query<{ table: string; name: string; definition: string }>(SELECT_FOREIGN_KEYS)
    ).rows;
    for (const { table, name } of this.foreignKeys)
      await this.client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`);
    for (const part of schema.partitions) await this.client.query(partitionSql(known, part));
    this.alwaysTriggers = (await this.client.query<{ table: string; name: string }>(SELECT_ALWAYS_TRIGGERS)).rows;
    for (const { name } of known) await this.client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    // Deletes existing rows, for example rows that the first start of the service has inserted.
    const tablesWithRows = [];
    for (const { name } of known)
      if ((await this.client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`)).rows.length > 0)
        tablesWithRows.push(quoted(name));
    if (tablesWithRows.length > 0) await this.client.query(`TRUNCATE ${tablesWithRows.join(', ')}`);
  }
}

/** Parses the archive's description of its database. Throws if `dumpDatabase` cannot have written this text. */
function readSchema(json: string): Schema {
  const { tables, partitions, sequences } = parsed(json) as Partial<Record<keyof Schema, unknown>>;
  const isTable = ({ name, columns }: Record<string, unknown>) =>
    typeof name === 'string' && Array.isArray(columns) && columns.every((column) => typeof column === 'string');
  const isPart = ({ name, parent, bound }: Record<string, unknown>) =>
    [name, parent, bound].every((one) => typeof one === 'string');
  const isSequence = ({ name, value, called }: Record<string, unknown>) =>
    typeof name === 'string' && /^-?\d{1,19}$/.test(String(value)) && typeof called === 'boolean';
  const areAll = (list: unknown, is: (one: Record<string, unknown>) => boolean) =>
    Array.isArray(list) &&
    list.every((one) => typeof one === 'object' && one !== null && is(one as Record<string, unknown>));
  if (!areAll(tables, isTable) || !areAll(partitions, isPart) || !areAll(sequences, isSequence))
    throw new OperatorError('The backup is damaged: its list of tables cannot be read.');
  return { tables, partitions, sequences } as unknown as Schema;
}

/**
 * Returns the names that the database has for this table and its columns. So no name of a table or column gets from an
 * archive into SQL (OPS-79).
 */
function knownTable(known: Schema['tables'], { name, columns }: Schema['tables'][number]): Schema['tables'][number] {
  const table = known.find((one) => one.name === name);
  if (!table) throw new OperatorError(`The database has no table ${name}, but the backup does.`);
  return {
    name: table.name,
    columns: columns.map((wanted) => {
      const column = table.columns.find((one) => one === wanted);
      if (column === undefined)
        throw new OperatorError(`The database has no column ${name}.${wanted}, but the backup does.`);
      return column;
    }),
  };
}

const MOMENT = String.raw`'(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\+00)'`;
const RANGE = new RegExp(String.raw`^FOR VALUES FROM \(${MOMENT}\) TO \(${MOMENT}\)$`);
const PART_NAME = /^[a-z][a-z0-9_]{0,62}$/;

/**
 * Returns the statement that creates a partition. The statement contains only checked values of the archive: the name
 * must match `PART_NAME`, and the bounds must be two times or DEFAULT.
 */
function partitionSql(known: Schema['tables'], { name, parent, bound }: Schema['partitions'][number]): string {
  const table = known.find((one) => one.name === parent);
  const values = bound === 'DEFAULT' ? bound : rangeSql(bound);
  if (!table || !PART_NAME.test(name) || values === null)
    throw new OperatorError(`The backup has a partition that this version does not know: ${JSON.stringify(name)}.`);
  return `CREATE TABLE IF NOT EXISTS ${quoted(name)} PARTITION OF ${quoted(table.name)} ${values}`;
}

/** Returns the range of a partition, built from its parsed bounds; null if the bounds are not two times. */
function rangeSql(bound: string): string | null {
  const moments = RANGE.exec(bound)
    ?.slice(1)
    .map((moment) => new Date(moment.replace(' ', 'T').replace('+00', 'Z')));
  if (!moments?.every((moment) => !Number.isNaN(moment.getTime()))) return null;
  return `FOR VALUES FROM ('${moments[0]?.toISOString()}') TO ('${moments[1]?.toISOString()}')`;
}

/** The foreign keys of tables. The keys of partitions are not included, because partitions inherit them. */
const SELECT_FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0 ORDER BY 1, 2`;
const SELECT_ALWAYS_TRIGGERS = `SELECT tgrelid::regclass::text AS table, tgname AS name FROM pg_trigger WHERE tgenabled = 'A' AND NOT tgisinternal AND tgparentid = 0`;
const SELECT_TRANSACTION_COLUMNS = `
  SELECT attname AS column, atttypid = 'pg_snapshot'::regtype AS is_snapshot FROM pg_attribute
   WHERE attrelid = ('public.' || quote_ident($1))::regclass AND atttypid IN ('xid8'::regtype, 'pg_snapshot'::regtype) AND attnum > 0 AND NOT attisdropped`;

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
