import { Transform } from 'class-transformer';
import { withoutControls } from '../text/characters';

/**
 * Options of a conversion that applies only to values of queries, forms and multipart fields, which are always texts.
 * Values in JSON have types, so the conversion does not apply to them (WIRE-14).
 */
export const IN_TEXT = { groups: ['text'] };

const NUMERAL = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})$/;

/**
 * Numbers that are closer to zero than this number are replaced by zero, because PostgreSQL's arithmetic refuses them,
 * for example in a latitude.
 */
const SMALLEST = 2.2250738585072014e-308;

/** Converts a property before validation. If a property has several decorators, the last one runs first. */
export function Convert(convert: (value: unknown) => unknown, options = {}): PropertyDecorator {
  return Transform(({ value }) => convert(value), options);
}

/**
 * Removes control characters and surrounding space from a text. Returns null if nothing is left (WIRE-11, WIRE-12).
 * Returns values that are not texts unchanged.
 */
export function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? withoutControls(value).trim() || null : value;
}

/**
 * Returns a conversion that trims a text and parses it with `parse`. If `parse` returns null or undefined, the
 * conversion returns the trimmed text, and validation refuses it.
 */
export const trimAndParse =
  (parse: (text: string) => unknown) =>
  (value: unknown): unknown => {
    const text = trimmed(value);
    return typeof text === 'string' ? (parse(text) ?? text) : text;
  };

export const numberOf = trimAndParse((text) => (NUMERAL.test(text) ? Number(text) : null));
export const booleanOf = trimAndParse((text) => ({ '1': true, true: true, '0': false, false: false })[text]);

/** Replaces minus zero, and numbers that are too close to zero, by zero (WIRE-15). */
export function zeroIfTiny(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) < SMALLEST ? 0 : value;
}
