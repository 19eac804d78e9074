import { LIMITS } from '#contract/limits';
import { isVisible } from '../text/characters';
import { parseDateTime, parseDay } from '../time/input-time';
import {
  FAULTLESS,
  fault,
  NOT_A_VALUE,
  trimmed,
  valueRule,
  type Fault,
  type FieldRule,
  type Notation,
} from './field-rule';

/** Bounds of a text in Unicode code points. */
export interface TextBounds {
  readonly min?: number;
  readonly max?: number;
}

/** Bounds of a number, both allowed, and how many decimals it may have. */
export interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  readonly decimals?: number;
}

export function textRule({ min, max }: TextBounds): FieldRule {
  return valueRule(
    { type: 'string', ...(min ? { minLength: min } : {}), ...(max ? { maxLength: max } : {}) },
    (value) => textFaults(value, min, max),
  );
}

/** A title or name: a text in which something can be read (WIRE-13). */
export function titleRule(bounds: TextBounds): FieldRule {
  const text = textRule(bounds);
  const titleFaults = (value: unknown): readonly Fault[] => {
    const faults = text.faults(value);
    return faults.length > 0 || isVisible(value as string) ? faults : fault('invisible');
  };
  return { ...text, faults: titleFaults };
}

export function enumRule(values: readonly string[]): FieldRule {
  const listed = { values: values.join(', ') };
  return valueRule({ type: 'string', enum: [...values] }, (value) =>
    typeof value === 'string' && values.includes(value) ? FAULTLESS : fault('one_of', listed),
  );
}

export function integerRule({ min, max }: NumberBounds): FieldRule {
  return valueRule(
    { type: 'integer', ...bounds({ min, max }) },
    (value) => {
      if (!Number.isSafeInteger(value))
        return Number.isInteger(value) ? outOfRange(value as number, min, max) : fault('integer');
      return rangeFaults(value as number, min, max);
    },
    readNumber,
  );
}

export function numberRule({ min, max, decimals }: NumberBounds): FieldRule {
  // No `multipleOf: 0.01`: validators divide binary fractions, and would refuse 0.07. The field's description says it.
  return valueRule(
    { type: 'number', ...bounds({ min, max }) },
    (value) => {
      if (typeof value !== 'number' || !Number.isFinite(value)) return fault('number');
      const faults = rangeFaults(value, min, max);
      if (faults.length > 0 || decimals === undefined) return faults;
      return Number(value.toFixed(decimals)) === value ? FAULTLESS : fault('decimals', { decimals });
    },
    readNumber,
  );
}

export function booleanRule(): FieldRule {
  return valueRule(
    { type: 'boolean' },
    (value) => (typeof value === 'boolean' ? FAULTLESS : fault('boolean')),
    readBoolean,
  );
}

/** A JS Date from an input datetime (WIRE-7). */
export function dateTimeRule(): FieldRule {
  const schema = { type: 'string', format: 'date-time', example: '2026-11-20T18:00:00Z' };
  return valueRule(
    schema,
    (value) => (value instanceof Date ? FAULTLESS : fault('datetime')),
    (value) => readText(value, parseDateTime),
  );
}

/** A calendar day, kept as text. */
export function dayRule(): FieldRule {
  return valueRule({ type: 'string', format: 'date' }, (value) =>
    typeof value === 'string' && parseDay(value) !== null ? FAULTLESS : fault('day'),
  );
}

/** An absolute http or https address without a login, kept as it was written (WIRE-17). */
export function urlRule({ max }: TextBounds): FieldRule {
  return valueRule({ type: 'string', format: 'uri', ...(max ? { maxLength: max } : {}) }, (value) => {
    const faults = textFaults(value, undefined, max);
    if (faults.length > 0) return faults;
    if (!isAbsoluteUrl(value as string)) return fault('url');
    return hasLogin(value as string) ? fault('url_with_login') : FAULTLESS;
  });
}

/** A hashid, slug or code: looked up by its area, so anything short enough may be tried. */
export function referenceRule(): FieldRule {
  return textRule(LIMITS.reference);
}

/** An id that may also be sent as a number; it becomes text. */
export function idOrNumberRule(): FieldRule {
  const reference = referenceRule();
  return {
    ...reference,
    schema: { oneOf: [reference.schema, { type: 'integer', minimum: 1 }] },
    convert: (value) => (Number.isSafeInteger(value) ? String(value) : trimmed(value)),
  };
}

/** Nothing at all: whatever is sent is refused. `not: {}` is how a schema says so; swagger wants a type beside it. */
export function fixedRule(): FieldRule {
  return valueRule(
    { type: 'string', not: {} },
    () => fault('not_changeable'),
    (value) => (value === undefined ? value : NOT_A_VALUE),
  );
}

const NOT_STORABLE = /[\0\p{Surrogate}]/u;

function textFaults(value: unknown, min: number | undefined, max: number | undefined): readonly Fault[] {
  if (typeof value !== 'string') return fault('string');
  if (NOT_STORABLE.test(value)) return fault('characters');
  if (max !== undefined && isLongerThan(value, max)) return fault('too_long', { max });
  if (min !== undefined && !isLongerThan(value, min - 1)) return fault('too_short', { min });
  return FAULTLESS;
}

/** Counts code points, but only where the number of UTF-16 units does not already tell. */
function isLongerThan(text: string, points: number): boolean {
  if (text.length <= points) return false;
  return text.length > points * 2 || [...text].length > points;
}

function rangeFaults(value: number, min: number | undefined, max: number | undefined): readonly Fault[] {
  if (min !== undefined && value < min) return fault('too_small', { min });
  if (max !== undefined && value > max) return fault('too_large', { max });
  return FAULTLESS;
}

/** An integer too large to be exact: out of the field's range, or of every range. */
function outOfRange(value: number, min: number | undefined, max: number | undefined): readonly Fault[] {
  const faults = rangeFaults(value, min, max);
  return faults.length > 0 ? faults : fault('too_large', { max: Number.MAX_SAFE_INTEGER });
}

function bounds({ min, max }: NumberBounds): { minimum?: number; maximum?: number } {
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
}

const NUMERAL = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})$/;

/** Smaller ones lose their digits one by one; the database's arithmetic refuses them (of a latitude, say). */
const SMALLEST = 2.2250738585072014e-308;

/** In text a numeral is a number; minus zero is zero, and so is what is smaller than any number worth the name. */
function readNumber(value: unknown, notation: Notation): unknown {
  if (notation === 'json') return typeof value === 'number' ? orZero(value) : value;
  const text = trimmed(value);
  return typeof text === 'string' && NUMERAL.test(text) ? orZero(Number(text)) : text;
}

function orZero(value: number): number {
  return Math.abs(value) < SMALLEST ? 0 : value;
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

function readBoolean(value: unknown, notation: Notation): unknown {
  if (notation === 'json') return value;
  const text = trimmed(value);
  return BOOLEANS.get(text) ?? text;
}

/** The parsed text, or the text itself where it cannot be parsed. */
function readText(value: unknown, parse: (text: string) => unknown): unknown {
  const text = trimmed(value);
  return typeof text === 'string' ? (parse(text) ?? text) : text;
}

function isAbsoluteUrl(text: string): boolean {
  return /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text);
}

function hasLogin(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
