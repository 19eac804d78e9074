import { fieldsOf, type Dto } from '#platform/http/declared-fields';
import type { Locale } from '#contract/vocabulary';
import { decimalText } from '#platform/text/decimal';
import { localInstant, localText } from './local-instant';
import type { CellPlan, FieldPlan, FormPlan, RowsPlan } from './plan';

/** The fields of a form as browsers send them: all values of each name, in order. */
export type RawFields = Readonly<Record<string, readonly string[]>>;
/** Fields with values in the format of the API. */
export type ApiValues = Readonly<Record<string, unknown>>;

/** The reader's settings, with which the form shows and parses times and numbers. */
export interface FormReader {
  readonly locale: Locale;
  readonly timezone: string;
}

/** The fields of a parsed body, with line breaks normalized to LF. */
export function rawFields(body: unknown): RawFields {
  const fields = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    const values = [value].flat().filter((one): one is string => typeof one === 'string');
    if (values.length > 0) fields[name] = values.map((one) => one.replace(/\r\n?/g, '\n'));
  }
  return fields;
}

/** Converts a value of the API to the texts that the form shows and sends. Files and places have no such texts. */
export function rawOf(field: FieldPlan, value: unknown, reader: FormReader): RawFields {
  if (field.as === 'files' || field.as === 'place' || value === undefined) return {};
  if (field.as === 'choices') return entryOf(field.name, (value ?? []) as readonly string[]);
  if (field.as === 'rows')
    return Object.assign(
      {},
      ...((value ?? []) as readonly ApiValues[]).map((row, i) => rawRow(field, i, row, reader)),
    ) as RawFields;
  return rawCell(field, value, reader);
}

/** Like `rawOf`, for the values of all fields of a form. */
export function rawForm({ fields }: FormPlan, values: ApiValues, reader: FormReader): RawFields {
  return Object.assign({}, ...fields.map((field) => rawOf(field, values[field.name], reader))) as RawFields;
}

function rawRow({ name, fields }: RowsPlan, i: number, row: ApiValues, reader: FormReader): RawFields {
  const cells = fields.map((cell) => rawCell({ ...cell, name: `${name}.${i}.${cell.name}` }, row[cell.name], reader));
  return Object.assign({}, ...cells) as RawFields;
}

function rawCell(field: CellPlan, value: unknown, { locale, timezone }: FormReader): RawFields {
  if (field.as === 'check') return entryOf(field.name, value === true ? ['1'] : []);
  return { [field.name]: [textOf(value, field, locale, timezone)] };
}

function textOf(value: unknown, field: CellPlan, locale: Locale, timezone: string): string {
  if (value === null || value === undefined) return '';
  if (field.as === 'time') return localText(new Date(value as string | Date), timezone);
  const serialized = typeof value === 'number' ? decimalText(value) : JSON.stringify(value);
  const text = (typeof value === 'string' ? value : serialized).replace(/\r\n?/g, '\n');
  // Browsers remove line breaks from single-line fields. If a text still contained line breaks here, its field would
  // count as changed.
  if (field.as === 'text') return text.replaceAll('\n', ' ');
  if (field.as !== 'number' || !field.isAmount) return text;
  // An amount with one decimal gets a second: `249.5` becomes `249.50`.
  const amount = text.replace(/\.\d$/, '$&0');
  return locale === 'cs' ? amount.replace('.', ',') : amount;
}

const entryOf = (name: string, values: readonly string[]): RawFields => (values.length > 0 ? { [name]: values } : {});

/**
 * The value for the API: null for an empty field, undefined for a field that was not sent. A checkbox is always `1` or
 * `0`, because browsers do not send an unchecked checkbox. A time that cannot be read becomes a text that the
 * validation refuses.
 */
export function valueOf(field: CellPlan, raw: RawFields, reader: FormReader): unknown {
  const sent = raw[field.name];
  if (field.as === 'check') return sent?.includes('1') ? '1' : '0';
  const [first] = sent ?? [];
  if (first === undefined) return undefined;
  if (first.trim() === '') return null;
  if (field.as === 'number') return plainNumber(first);
  if (field.as === 'text' && field.type === 'date') return plainDay(first);
  if (field.as === 'time') return localInstant(first, reader.timezone)?.toISOString() ?? 'no time';
  return first;
}

/** Converts `1 234,50` to `1234.50`. A text that is not a number is returned unchanged; the validation refuses it. */
export function plainNumber(typedNumber: string): string {
  const digits = typedNumber.replace(/[\s\u00a0\u202f]/g, '').replace('−', '-');
  return /^[+-]?\d*(?:[.,]\d*)?$/.test(digits) ? digits.replace(',', '.') : typedNumber;
}

/**
 * Converts a day in Czech notation, `1. 5. 1990`, to `1990-05-01`. A browser without date fields sends the typed text.
 * Any other text is returned unchanged.
 */
export function plainDay(typedDay: string): string {
  const [, day = '', month = '', year = ''] = /^\s*(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})\s*$/.exec(typedDay) ?? [];
  return year === '' ? typedDay : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Converts the typed text of a field of this DTO, if the field is a number or a day. */
export function plainValue(dto: Dto, name: string, typed: string): string {
  const { type, format } = fieldsOf(dto).get(name) ?? {};
  if (type === 'number' || type === 'integer') return plainNumber(typed);
  return format === 'date' ? plainDay(typed) : typed;
}

/** The numbers of the rows that were sent, in ascending order. */
export function rowNumbers({ name }: RowsPlan, raw: RawFields): readonly number[] {
  const numbers = Object.keys(raw).flatMap((fieldName) => {
    const [list, number = '', cell] = fieldName.split('.');
    return list === name && cell !== undefined && /^\d{1,4}$/.test(number) ? [Number(number)] : [];
  });
  return [...new Set(numbers)].sort((one, other) => one - other);
}

/** The cell of a row as a field with its full name, such as `stops.0.title`. */
export function cellOf<Cell extends CellPlan>({ name }: RowsPlan, row: number, cell: Cell): Cell {
  return { ...cell, name: `${name}.${row}.${cell.name}` };
}

/** Whether any field of the row is filled in. Checkboxes and selects are ignored. */
export function hasText(plan: RowsPlan, row: number, raw: RawFields): boolean {
  return plan.fields.some(
    (cell) =>
      cell.as !== 'check' &&
      cell.as !== 'select' &&
      (raw[cellOf(plan, row, cell).name] ?? []).some((value) => value.trim() !== ''),
  );
}

/**
 * The numbers of the rows that contain a text. The API receives only these rows, so `stops.1` in an error of the API is
 * the second row with a text.
 */
export function rowsWithText(plan: RowsPlan, raw: RawFields): readonly number[] {
  return rowNumbers(plan, raw).filter((row) => hasText(plan, row, raw));
}

/** The values of the list of checkboxes `name` that are offered and ticked. */
export function chosenIn<Value extends string>(body: unknown, name: string, offered: readonly Value[]): Value[] {
  const sent = rawFields(body)[name] ?? [];
  return offered.filter((value) => sent.includes(value));
}
