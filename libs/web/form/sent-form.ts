import type { Dto } from '#platform/http/declared-fields';
import { Input, validateInput, type Validated } from '#platform/http/input';
import type { Precondition } from '#platform/http/precondition';
import { decimalText } from '#platform/text/decimal';
import { isAsShown, isSameField } from './as-shown';
import { isPlaceNamed, isPointMissing, placeOf, withPlaceError } from './form-place';
import { FormPrecondition, type ValuesOf } from './form-precondition';
import type { FormPlan, RowsPlan } from './plan';
import { cellOf, rawOf, rowsWithText, valueOf, type ApiValues, type FormReader, type RawFields } from './raw-fields';
import { shownIn, type Shown } from './shown';

/**
 * Which fields `read()` returns. `changes`: only the fields that the reader changed (PATCH). `whole`: all fields; a
 * field that the reader did not change has the value that the form showed (PUT).
 */
export type Sending = 'changes' | 'whole';

/** A submitted form that is passed to use cases of the API. `read()` throws 422 if the form is invalid. */
export class SentForm<T extends object> extends Input<T> {
  private constructor(
    result: Validated<T>,
    private readonly plan: FormPlan,
    private readonly raw: RawFields,
    private readonly shown: Shown | null,
    private readonly reader: FormReader,
    /** Whether the form has no values for the API, for example because the reader changed no field. */
    readonly isUnchanged: boolean,
  ) {
    super(result);
  }

  static async ofSent<T extends object>(
    plan: FormPlan,
    dto: Dto<T>,
    raw: RawFields,
    reader: FormReader,
    sending: Sending = 'changes',
  ): Promise<SentForm<T>> {
    const shown = shownIn(plan, raw);
    // Times are read in the zone in which they were shown.
    const readerInShownZone = shown ? { ...reader, timezone: shown.timezone } : reader;
    const { place, error: placeError } = placeOf(plan, raw, shown, readerInShownZone);
    const body = bodyOf(plan, raw, shown, readerInShownZone, sending);
    if (place) Object.assign(body, { latitude: decimalText(place.latitude), longitude: decimalText(place.longitude) });
    if (place && !isPlaceNamed(raw, shown)) body['location_name'] = place.name;
    const result = await validateInput<T>(dto, body, 'text');
    const error = placeError ?? (isPointMissing(plan, result.outcome) ? 'required' : null);
    const isUnchanged = Object.keys(body).length === 0;
    const checked = error ? withPlaceError(result, error) : result;
    return new SentForm<T>(checked, plan, raw, shown, readerInShownZone, isUnchanged);
  }

  /**
   * Returns the precondition for a use case that changes an object. The precondition refuses the form if the stored
   * value of a sent field has changed since the form was shown (PAGE-97).
   *
   * @param valuesOf converts the object to the values of the form's fields; needed if the object has other field names
   */
  precondition(valuesOf: ValuesOf = (object) => object as ApiValues): Precondition {
    return new FormPrecondition(this.plan, this.raw, this.shown, this.reader, valuesOf);
  }
}

function bodyOf(
  { fields }: FormPlan,
  raw: RawFields,
  shown: Shown | null,
  reader: FormReader,
  sending: Sending,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.as === 'files' || field.as === 'place') continue;
    if (shown && isAsShown(field, raw, shown, reader)) {
      if (sending === 'whole') body[field.name] = asFormText(shown.values[field.name]);
      continue;
    }
    if (field.as === 'choices') body[field.name] = raw[field.name] ?? [];
    else if (field.as === 'rows') body[field.name] = rowsOf(field, raw, shown, reader);
    else {
      const value = valueOf(field, raw, reader);
      if (value !== undefined) body[field.name] = value;
    }
  }
  // The API changes a point only as a whole, so a changed coordinate is sent together with the other coordinate.
  for (const [one, other] of COORDINATE_PAIRS)
    if (shown && one in body && !(other in body) && other in raw) body[other] = asFormText(shown.values[other]);
  return body;
}

const COORDINATE_PAIRS = [
  ['latitude', 'longitude'],
  ['longitude', 'latitude'],
] as const;

/** Returns the rows for the API. An unchanged cell gets the exact shown value, for example a time with milliseconds. */
function rowsOf(plan: RowsPlan, raw: RawFields, shown: Shown | null, reader: FormReader): readonly ApiValues[] {
  const before = (shown?.values[plan.name] ?? []) as readonly ApiValues[];
  return rowsWithText(plan, raw).map((row) =>
    Object.fromEntries(
      plan.fields.map((column) => {
        const cell = cellOf(plan, row, column);
        const value = before[row]?.[column.name];
        const isUntouched = value !== undefined && isSameField(cell, rawOf(cell, value, reader), raw);
        return [column.name, isUntouched ? asFormText(value) : (valueOf(cell, raw, reader) ?? null)];
      }),
    ),
  );
}

/** Converts a value to text, because the validation of forms reads texts. */
function asFormText(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return decimalText(value);
  if (Array.isArray(value)) return value.map(asFormText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asFormText(one)]));
}
