import { isDeepStrictEqual } from 'node:util';
import type { Dto } from '#platform/http/declared-fields';
import { Input, validateInput, type Validated } from '#platform/http/input';
import { Precondition } from '#platform/http/precondition';
import { Refusal } from '#platform/http/refusal';
import type { MessageKey } from '#platform/messages/catalogue';
import { isNameOfPlaceAt } from '#platform/places/place-names';
import { decimalText } from '#platform/text/decimal';
import { textIn } from '../forms';
import type { FieldPlan, FormPlan, RowsPlan } from './plan';
import {
  cellOf,
  hasText,
  rawOf,
  rowNumbers,
  valueOf,
  type ApiValues,
  type FormReader,
  type RawFields,
} from './raw-fields';
import { sentPlace, type SentPlace } from '../places/sent-place';
import { NO_OBJECT, shownIn, type Shown } from './shown';

/**
 * Which fields `read()` returns. `changes`: only the fields that the reader changed (PATCH). `whole`: all fields; a
 * field that the reader did not change has the value that the form showed (PUT).
 */
export type Sending = 'changes' | 'whole';

/** A field whose stored value has changed since the form was shown. */
export interface Conflict {
  readonly field: FieldPlan;
  readonly shown: unknown;
  readonly current: unknown;
}

/** The refusal 412 of a form: the stored value of a sent field was changed after the form was shown. */
export class FormConflict extends Refusal {
  constructor(
    readonly conflicts: readonly Conflict[],
    /** The current values of the object; empty if the object has been deleted. */
    readonly current: ApiValues,
    readonly version: number,
  ) {
    super('precondition_failed');
  }
}

/** A submitted form that is passed to use cases of the API. `read()` throws 422 if the form is invalid. */
export class SentForm<T extends object> extends Input<T> {
  private constructor(
    result: Validated<T>,
    private readonly plan: FormPlan,
    /** The fields as they were sent, to show the form again. */
    readonly raw: RawFields,
    readonly shown: Shown | null,
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
   * For use cases that change an object: refuses the form if the stored value of a sent field has changed since the
   * form was shown (PAGE-97).
   */
  get precondition(): Precondition {
    return new FormPrecondition(this.plan, this.raw, this.shown, this.reader);
  }
}

/** The place with the sent name. The place is used only if latitude and longitude are empty or unchanged (PLACE-3). */
function placeOf(plan: FormPlan, raw: RawFields, shown: Shown | null, reader: FormReader): SentPlace {
  const point = plan.fields.filter(({ name }) => name === 'latitude' || name === 'longitude');
  const isUsed =
    plan.fields.some(({ as }) => as === 'place') &&
    (point.every(({ name }) => texts(raw[name]).every((value) => value.trim() === '')) ||
      (shown !== null && point.every((field) => isAsShown(field, raw, shown, reader))));
  return sentPlace(isUsed ? textIn(raw['place']) : undefined);
}

/**
 * Whether the sent form contains a name or an address that the name of the found place must not replace (PLACE-3). If
 * the sent name is the name of the place at the coordinates that the form showed, it does not count, because it does
 * not fit other coordinates.
 */
function isPlaceNamed(raw: RawFields, shown: Shown | null): boolean {
  if (textIn(raw['location_address'])?.trim()) return true;
  const name = textIn(raw['location_name'])?.trim() ?? '';
  return name !== '' && !(shown && isNameOfPlaceAt(name, shown.values['latitude'], shown.values['longitude']));
}

/**
 * Whether the form needs a point and has neither a place nor coordinates. The error is then shown at the field of the
 * place, because people fill in the place rather than coordinates.
 */
function isPointMissing({ fields }: FormPlan, outcome: object): boolean {
  if (!(outcome instanceof Refusal) || !fields.some(({ as }) => as === 'place')) return false;
  const { latitude, longitude } = outcome.details.errors ?? {};
  return [latitude, longitude].every((errors) => errors?.[0]?.key === 'required');
}

/** Adds the error of the place to the errors of the other fields, and omits errors of latitude and longitude. */
function withPlaceError<T>({ outcome, readWith }: Validated<T>, error: MessageKey): Validated<T> {
  const refusal = (other?: Refusal): Refusal => {
    const { latitude: _latitude, longitude: _longitude, ...errors } = other?.details.errors ?? {};
    return new Refusal('validation_failed', { errors: { ...errors, place: [{ key: error }] } });
  };
  return {
    outcome: refusal(outcome instanceof Refusal ? outcome : undefined),
    readWith: async (stored) => {
      const other = await readWith(stored).then(
        () => undefined,
        (thrown: unknown) => {
          if (thrown instanceof Refusal) return thrown;
          throw thrown;
        },
      );
      throw refusal(other);
    },
  };
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
        const isUntouched = value !== undefined && sameRaw(rawOf(cell, value, reader), raw, [cell.name]);
        return [column.name, isUntouched ? asFormText(value) : (valueOf(cell, raw, reader) ?? null)];
      }),
    ),
  );
}

/**
 * The numbers of the rows that contain a text. The API receives only these rows, so `stops.1` in an error of the API is
 * the second row with a text.
 */
export function rowsWithText(plan: RowsPlan, raw: RawFields): readonly number[] {
  return rowNumbers(plan, raw).filter((row) => hasText(plan, row, raw));
}

/** Converts a value to text, because the validation of forms reads texts. */
function asFormText(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return decimalText(value);
  if (Array.isArray(value)) return value.map(asFormText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asFormText(one)]));
}

function isAsShown(field: FieldPlan, raw: RawFields, shown: Shown, reader: FormReader): boolean {
  const before = rawOf(field, shown.values[field.name], reader);
  // Browsers send ticked boxes in the order of the form, so the order of the values has no meaning.
  if (field.as === 'choices')
    return isDeepStrictEqual([...texts(before[field.name])].sort(), [...texts(raw[field.name])].sort());
  if (field.as !== 'rows') return sameRaw(before, raw, [field.name]);
  const names = new Set([...Object.keys(before), ...Object.keys(raw)].filter((name) => isOfRows(field, name)));
  return sameRaw(before, raw, [...names]);
}

function isOfRows({ name }: RowsPlan, fieldName: string): boolean {
  return fieldName.startsWith(`${name}.`);
}

/**
 * Compares the fields with these names. An empty text equals an absent value, because empty rows for new entries are
 * not part of the shown values.
 */
function sameRaw(before: RawFields, raw: RawFields, names: readonly string[]): boolean {
  return names.every((name) => isDeepStrictEqual(texts(before[name]), texts(raw[name])));
}

const texts = (values: readonly string[] = []): readonly string[] => values.filter((value) => value !== '');

/**
 * The precondition of a form (PAGE-97). There is a conflict only if the stored value of a field that the form sends has
 * changed.
 */
export class FormPrecondition extends Precondition {
  constructor(
    private readonly plan: FormPlan,
    private readonly raw: RawFields,
    private readonly shown: Shown | null,
    private readonly reader: FormReader,
  ) {
    super(undefined);
  }

  override async check(version: number, show: () => object | Promise<object>): Promise<void> {
    const { shown } = this;
    if (!shown || shown.version === version) return;
    this.compare(shown, (await show()) as ApiValues, version);
  }

  /** Called if there is no object. If the form showed an object, this object was deleted in the meantime. */
  override checkAbsent(): void {
    const { shown } = this;
    if (shown && shown.version !== NO_OBJECT) this.compare(shown, {}, NO_OBJECT);
  }

  private compare(shown: Shown, current: ApiValues, version: number): void {
    const { reader } = this;
    const conflicts = this.plan.fields
      .filter((field) => field.as !== 'files' && field.as !== 'place' && this.isSent(field))
      .map((field) => ({ field, shown: shown.values[field.name], current: current[field.name] }))
      .filter(
        (one) => !isDeepStrictEqual(rawOf(one.field, one.shown, reader), rawOf(one.field, one.current ?? null, reader)),
      );
    if (conflicts.length > 0) throw new FormConflict(conflicts, current, version);
  }

  /**
   * Browsers send no field for unticked boxes, and no field with the name of a list of rows. These types of fields
   * therefore always count as sent.
   */
  private isSent({ as, name }: FieldPlan): boolean {
    return as === 'check' || as === 'choices' || as === 'rows' || name in this.raw;
  }
}
