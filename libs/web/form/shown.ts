import type { FieldPlan, FormPlan } from './plan';
import type { ApiValues, RawFields } from './raw-fields';

/**
 * The content that an edit form showed: the version of the object and its values. A hidden field of the form contains
 * this content.
 */
export interface Shown {
  readonly version: number;
  /** The time zone of the times in the form. */
  readonly timezone: string;
  readonly values: ApiValues;
}

const NAME = '_shown';

/**
 * The version in an edit form whose object did not exist yet, such as the itinerary form of an event without an
 * itinerary. No stored object has this version.
 */
export const NO_OBJECT = 0;

/**
 * Returns the content of the hidden field. Returns null for a form without this field (such a form creates an object),
 * and for an unreadable value. In both cases, every sent field counts as a change.
 */
export function shownIn({ fields }: FormPlan, raw: RawFields): Shown | null {
  try {
    const { version, timezone, values } = JSON.parse(raw[NAME]?.[0] ?? '') as Partial<Shown>;
    if (typeof version !== 'number' || typeof values !== 'object' || values === null) return null;
    if (!fields.every((field) => isReadable(field, values[field.name]))) return null;
    return { version, timezone: zoneOrThrow(timezone), values };
  } catch {
    return null;
  }
}

/** The name and the value of the hidden field with this content. */
export function shownField({ fields }: FormPlan, { version, timezone, values }: Shown): readonly [string, string] {
  const shownValues = fields
    .filter(({ as }) => as !== 'files')
    .map(({ name }) => [name, values[name] ?? null] as const);
  return [NAME, JSON.stringify({ version, timezone, values: Object.fromEntries<unknown>(shownValues) })];
}

/** Whether the form can show this value in the field. */
function isReadable(field: FieldPlan, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (field.as === 'choices') return Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (field.as === 'rows')
    return (
      Array.isArray(value) &&
      value.every((row) => field.fields.every((cell) => isReadable(cell, cellOfRow(row, cell.name))))
    );
  if (field.as === 'time') return typeof value === 'string' && !Number.isNaN(Date.parse(value));
  return typeof value !== 'object';
}

const cellOfRow = (row: unknown, name: string): unknown => (row as ApiValues | null)?.[name];

/** Throws for a name that is not a time zone. */
function zoneOrThrow(zone: unknown): string {
  return new Intl.DateTimeFormat('en', { timeZone: String(zone) }).resolvedOptions().timeZone;
}
