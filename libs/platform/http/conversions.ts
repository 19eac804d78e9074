import { Transform } from 'class-transformer';
import { withoutControls } from '../text/characters';

/** For queries, forms and multipart fields, which are text. JSON has types (WIRE-14). */
export const IN_TEXT = { groups: ['text'] };

const NUMERAL = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})$/;

/** PostgreSQL's arithmetic refuses numbers closer to zero, for example as a latitude. */
const SMALLEST = 2.2250738585072014e-308;

/** Converts a property before it is validated. If a property has several decorators, the last one runs first. */
export function Convert(convert: (value: unknown) => unknown, options = {}): PropertyDecorator {
  return Transform(({ value }) => convert(value), options);
}

/** Text without control characters and surrounding space; null when nothing is left (WIRE-11, WIRE-12). */
export function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? withoutControls(value).trim() || null : value;
}

/** Reads a trimmed text. A text that cannot be read stays a text, for validation to refuse. */
export const reading =
  (read: (text: string) => unknown) =>
  (value: unknown): unknown => {
    const text = trimmed(value);
    return typeof text === 'string' ? (read(text) ?? text) : text;
  };

export const numberOf = reading((text) => (NUMERAL.test(text) ? Number(text) : null));
export const booleanOf = reading((text) => ({ '1': true, true: true, '0': false, false: false })[text]);

/** Minus zero and numbers that are too close to zero are zero (WIRE-15). */
export function orZero(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) < SMALLEST ? 0 : value;
}
