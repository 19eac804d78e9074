import { statement, type Queryable, type Statement } from '#platform/database/database';
import type { WireFormat } from '#platform/http/wire-format';
import type { MediaKey } from '#platform/storage/media-key';
import { toWire } from '#platform/time/wire-time';
import { PERSONAL_DATA, type Shown } from '../personal-data.map';

/** The rows of one table, as the export has them: ids as in the API, instants in UTC, other people by slug. */
export interface PersonalFile {
  /** Without `.json`. */
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Stored files that the rows name. */
  readonly keys: readonly MediaKey[];
}

/** A file of the archive: whence it comes, and how each column is shown. */
interface Source {
  readonly name: string;
  readonly rows: Statement;
  readonly shown: ReadonlyMap<string, Shown>;
}

const SOURCES: readonly Source[] = Object.entries(PERSONAL_DATA).flatMap(([table, { file, mine, columns }]) => {
  if (file === undefined || mine === undefined) return [];
  const shown = new Map(Object.entries(columns).flatMap(([name, column]) => (column.shown === null ? [] : [[name, column.shown] as const])));
  const selected = [...shown].map(([name, how]) => `${selectedAs(name, how)} AS "${name}"`);
  return [{ name: file, shown, rows: statement(`own_data_${table}`, `SELECT ${selected.join(', ')} FROM ${table} t WHERE ${mine} ORDER BY 1`) }];
});

/** How many files of rows an export has. */
export const PERSONAL_FILES = SOURCES.length;

function selectedAs(name: string, how: Shown): string {
  if (how === 'person') return `(SELECT u.slug FROM users u WHERE u.id = t."${name}")`;
  return how === 'day' ? `t."${name}"::text` : `t."${name}"`;
}

/** Everything of a person, table by table, in the order of the map. */
export async function* personalFiles(on: Queryable, userId: number, wire: WireFormat): AsyncGenerator<PersonalFile> {
  for (const { name, rows, shown } of SOURCES) {
    const found = await on.rows<Record<string, unknown>>(rows, [userId]);
    const files = [...shown].filter(([, how]) => how === 'file').map(([column]) => column);
    yield {
      name,
      rows: found.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, written(value, shown.get(column) ?? 'value', wire)]))),
      keys: found.flatMap((row) => files.map((column) => row[column]).filter((key): key is MediaKey => typeof key === 'string')),
    };
  }
}

/** Where a stored file lies in the archive. */
export function pathInArchive(key: MediaKey): string {
  return `files/${key}`;
}

function written(value: unknown, how: Shown, wire: WireFormat): unknown {
  if (value === null) return null;
  if (how === 'value' || how === 'day' || how === 'person') return inUtc(value);
  if (how === 'count') return Number(value);
  if (how === 'file') return pathInArchive(value as MediaKey);
  return wire.id(how, value as string);
}

function inUtc(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inUtc);
  return value instanceof Date ? toWire(value) : value;
}
