import type { Sealer } from '#platform/config/sealer';
import { statement, type Queryable, type Statement } from '#platform/database/database';
import type { WireFormat } from '#platform/http/wire-format';
import type { MediaKey } from '#platform/storage/media-key';
import { toWire } from '#platform/time/wire-time';
import { completeTemplate, eventTemplateResource, type EventTemplate } from '../../events/event-template.resource';
import { PERSONAL_DATA, type ExportForm } from '../personal-data.map';

/** The rows of one table in the form of the export: ids as in the API, times in UTC, and other people as slugs. */
export interface PersonalFile {
  /** The name of the file without `.json`. */
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Keys of the stored files to which the rows refer. */
  readonly keys: readonly MediaKey[];
}

/** A `.json` file of the archive: its name, the query of its rows, and the form of each column. */
interface Source {
  readonly name: string;
  readonly query: Statement;
  readonly forms: ReadonlyMap<string, ExportForm>;
}

const SOURCES: readonly Source[] = Object.entries(PERSONAL_DATA).flatMap(
  ([table, { file, mine, columns, added = {} }]) => {
    if (file === undefined || mine === undefined) return [];
    const exported = [
      ...Object.entries(columns).flatMap(([column, { exportForm: form, as: name = column, sql = `t."${column}"` }]) =>
        form === null ? [] : [{ name, form, sql }],
      ),
      ...Object.entries(added).map(([name, { exportForm: form, sql }]) => ({ name, form, sql })),
    ];
    const forms = new Map(exported.map(({ name, form }) => [name, form]));
    const selected = exported.map(({ name, form, sql }) => `${selectedAs(sql, form)} AS "${name}"`);
    return [
      {
        name: file,
        forms,
        query: statement(`own_data_${table}`, `SELECT ${selected.join(', ')} FROM ${table} t WHERE ${mine} ORDER BY 1`),
      },
    ];
  },
);

/** The number of exported tables. Each table is one `.json` file. */
export const PERSONAL_FILE_COUNT = SOURCES.length;

/** The SQL expression that reads a value. For some forms, `exportedValue` then converts the value. */
function selectedAs(sql: string, form: ExportForm): string {
  if (form === 'person') return `(SELECT u.slug FROM users u WHERE u.id = ${sql})`;
  if (form === 'post_slug') return `(SELECT p.slug FROM all_posts p WHERE p.id = ${sql})`;
  return form === 'day' ? `${sql}::text` : sql;
}

interface ExportContext {
  readonly wire: WireFormat;
  readonly sealer: Sealer;
}

/** Returns all exported data of a person, table by table, in the order of `PERSONAL_DATA`. */
export async function* personalFiles(
  database: Queryable,
  userId: number,
  context: ExportContext,
): AsyncGenerator<PersonalFile> {
  for (const { name, query, forms } of SOURCES) {
    const foundRows = await database.rows<Record<string, unknown>>(query, [userId]);
    const fileColumns = [...forms].filter(([, form]) => form === 'file').map(([column]) => column);
    yield {
      name,
      rows: await Promise.all(
        foundRows.map(async (row) =>
          Object.fromEntries(
            await Promise.all(
              Object.entries(row).map(
                async ([column, value]) =>
                  [column, await exportedValue(value, forms.get(column) ?? 'value', context)] as const,
              ),
            ),
          ),
        ),
      ),
      keys: foundRows.flatMap((row) =>
        fileColumns.map((column) => row[column]).filter((key): key is MediaKey => typeof key === 'string'),
      ),
    };
  }
}

/** The path of a stored file in the archive. */
export function pathInArchive(key: MediaKey): string {
  return `files/${key}`;
}

async function exportedValue(value: unknown, form: ExportForm, { wire, sealer }: ExportContext): Promise<unknown> {
  if (value === null) return null;
  if (form === 'value' || form === 'day' || form === 'person' || form === 'post_slug') return inUtc(value);
  if (form === 'count') return Number(value);
  if (form === 'sealed') return sealer.open(value as string);
  if (form === 'file') return pathInArchive(value as MediaKey);
  if (form === 'template') {
    const template = completeTemplate(value as EventTemplate);
    const sealed = template.join_password_sealed;
    return eventTemplateResource(template, sealed === null ? null : await sealer.open(sealed));
  }
  return wire.id(form, value as string);
}

function inUtc(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inUtc);
  return value instanceof Date ? toWire(value) : value;
}
