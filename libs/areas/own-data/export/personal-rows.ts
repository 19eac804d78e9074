import type { Sealer } from '#platform/config/sealer';
import { statement, type Queryable, type Statement } from '#platform/database/database';
import type { WireFormat } from '#platform/http/wire-format';
import type { MediaKey } from '#platform/storage/media-key';
import { toWire } from '#platform/time/wire-time';
import { PERSONAL_DATA, type Shown } from '../personal-data.map';

/** The rows of one table in the form of the export: ids as in the API, instants in UTC, other people by slug. */
export interface PersonalFile {
  /** Without `.json`. */
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Stored files of the rows. */
  readonly keys: readonly MediaKey[];
}

/** A file of the archive: its query, and the form of each column. */
interface Source {
  readonly name: string;
  readonly rows: Statement;
  readonly shown: ReadonlyMap<string, Shown>;
}

const SOURCES: readonly Source[] = Object.entries(PERSONAL_DATA).flatMap(([table, { file, mine, columns }]) => {
  if (file === undefined || mine === undefined) return [];
  const exported = Object.entries(columns).flatMap(
    ([column, { shown: how, as: name = column, sql = `t."${column}"` }]) => (how === null ? [] : [{ name, how, sql }]),
  );
  const shown = new Map(exported.map(({ name, how }) => [name, how]));
  const selected = exported.map(({ name, how, sql }) => `${selectedAs(sql, how)} AS "${name}"`);
  return [
    {
      name: file,
      shown,
      rows: statement(`own_data_${table}`, `SELECT ${selected.join(', ')} FROM ${table} t WHERE ${mine} ORDER BY 1`),
    },
  ];
});

/** The number of files with rows in an export. */
export const PERSONAL_FILES = SOURCES.length;

function selectedAs(sql: string, how: Shown): string {
  if (how === 'person') return `(SELECT u.slug FROM users u WHERE u.id = ${sql})`;
  return how === 'day' ? `${sql}::text` : sql;
}

interface Writing {
  readonly wire: WireFormat;
  readonly sealer: Sealer;
}

/** All data of a person, table by table, in the order of the map. */
export async function* personalFiles(on: Queryable, userId: number, writing: Writing): AsyncGenerator<PersonalFile> {
  for (const { name, rows, shown } of SOURCES) {
    const found = await on.rows<Record<string, unknown>>(rows, [userId]);
    const files = [...shown].filter(([, how]) => how === 'file').map(([column]) => column);
    yield {
      name,
      rows: await Promise.all(
        found.map(async (row) =>
          Object.fromEntries(
            await Promise.all(
              Object.entries(row).map(
                async ([column, value]) =>
                  [column, await written(value, shown.get(column) ?? 'value', writing)] as const,
              ),
            ),
          ),
        ),
      ),
      keys: found.flatMap((row) =>
        files.map((column) => row[column]).filter((key): key is MediaKey => typeof key === 'string'),
      ),
    };
  }
}

/** The path of a stored file in the archive. */
export function pathInArchive(key: MediaKey): string {
  return `files/${key}`;
}

async function written(value: unknown, how: Shown, { wire, sealer }: Writing): Promise<unknown> {
  if (value === null) return null;
  if (how === 'value' || how === 'day' || how === 'person') return inUtc(value);
  if (how === 'count') return Number(value);
  if (how === 'sealed') return sealer.open(value as string);
  if (how === 'file') return pathInArchive(value as MediaKey);
  return wire.id(how, value as string);
}

function inUtc(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inUtc);
  return value instanceof Date ? toWire(value) : value;
}
