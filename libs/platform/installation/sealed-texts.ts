import type { Sealer } from '../config/sealer';
import { statement, type Queryable } from '../database/database';

/**
 * A column that can contain sealed texts (texts that are encrypted with the installation's secret, config/sealer.ts): a
 * text column whose name ends with `_sealed`, or a jsonb column. In a JSON object, a sealed text is the value of a
 * top-level key that ends with `_sealed`. Every sealed text must be stored in one of these two ways, so that a rotation
 * of the secret finds the text.
 */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly json: boolean;
}

export interface SealedText {
  /** The ctid of the row with the text. It is valid until the row is changed. */
  readonly row: string;
  /** The key in the JSON object. Set only for a jsonb column. */
  readonly key: string | null;
  readonly sealed: string;
}

const COLUMNS = statement(
  'sealed_columns',
  // `installation` is excluded, because the rotation itself writes the sealed text in this table. `audit_entries` is
  // excluded, because its rows never change and therefore must not contain sealed texts. Also, the rotation could not
  // lock `audit_entries` against writers: not even the owner of the table has the right to do this (migration 0187).
  `SELECT quote_ident(c.table_name) AS table, quote_ident(c.column_name) AS column, c.data_type = 'jsonb' AS json
     FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
      AND (c.data_type = 'jsonb' OR c.data_type = 'text' AND c.column_name LIKE '%\\_sealed') AND c.table_name NOT IN ('installation', 'audit_entries')
    ORDER BY 1, 2`,
);

export async function sealedColumns(database: Queryable): Promise<readonly SealedColumn[]> {
  return database.rows<SealedColumn>(COLUMNS);
}

/** Maximum number of rows of a jsonb column that `sealedTexts` reads if it is called with a `max`. */
const MAX_JSON_ROWS = 10_000;

/** Returns the sealed texts of a column: all texts if `max` is null, otherwise at most `max` texts. */
export async function sealedTexts(
  database: Queryable,
  { table, column, json }: SealedColumn,
  max: number | null,
): Promise<readonly SealedText[]> {
  const text = json
    ? `SELECT t.ctid::text AS row, e.key, e.value AS sealed FROM (SELECT ctid, ${column} FROM ${table} LIMIT $2) t
         CROSS JOIN LATERAL jsonb_each_text(CASE WHEN jsonb_typeof(t.${column}) = 'object' THEN t.${column} ELSE '{}' END) e
        WHERE e.key LIKE '%\\_sealed' AND e.value IS NOT NULL LIMIT $1`
    : `SELECT ctid::text AS row, NULL AS key, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL LIMIT $1`;
  // Most JSON contains no sealed texts. So with `max`, only a limited number of rows is read.
  const values = json ? [max, max === null ? null : MAX_JSON_ROWS] : [max];
  return database.rows<SealedText>(statement(`sealed_texts_${table}_${column}`.slice(0, 63), text), values);
}

/** Replaces a sealed text. Returns the ctid that the row has after the change. Throws if the row does not exist. */
export async function replaceSealedText(
  database: Queryable,
  { table, column, json }: SealedColumn,
  { row, key }: SealedText,
  sealed: string,
): Promise<string> {
  // `ARRAY[$3]` is the path of the key in the JSON object.
  const text = json
    ? `UPDATE ${table} SET ${column} = jsonb_set(${column}, ARRAY[$3], to_jsonb($2::text)) WHERE ctid = $1::tid RETURNING ctid::text AS row`
    : `UPDATE ${table} SET ${column} = $2 WHERE ctid = $1::tid RETURNING ctid::text AS row`;
  const [changed] = await database.rows<{ row: string }>(
    statement(`sealed_replace_${table}_${column}`.slice(0, 63), text),
    json ? [row, sealed, key] : [row, sealed],
  );
  if (!changed) throw new Error(`The row ${row} of ${table} does not exist.`);
  return changed.row;
}

/** Maximum number of sealed texts per column that `examineSealedTexts` opens. */
const MAX_CHECKED = 1_000;

/**
 * Tries to open at most MAX_CHECKED sealed texts per column. Returns the number of texts that the secret opens, and the
 * number of texts that the secret does not open.
 */
export async function examineSealedTexts(
  database: Queryable,
  sealer: Sealer,
): Promise<{ readable: number; unreadable: number }> {
  let [readable, unreadable] = [0, 0];
  for (const column of await sealedColumns(database)) {
    for (const { sealed } of await sealedTexts(database, column, MAX_CHECKED)) {
      if ((await sealer.open(sealed)) === null) unreadable++;
      else readable++;
    }
  }
  return { readable, unreadable };
}
