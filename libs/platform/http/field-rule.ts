import type { SchemaObject } from '@nestjs/swagger';
import type { MessageKey } from '../messages/catalogue';
import { withoutControls } from '../text/characters';
import type { Text } from '../messages/messages';

/** How values were written: JSON has types; queries and multipart fields are text, where `1` may be a number or true. */
export type Notation = 'json' | 'text';

/** What stands where a single value was expected but an object or a list was sent. No rule takes it for a value. */
export const NOT_A_VALUE = Symbol('not a value');

/** What stands in for a list that is far too long to look into. */
export const TOO_LONG = Symbol('too long');

/** Something wrong with a field, or with an item of it (`at` `.1`). */
export interface Fault {
  readonly at: string;
  readonly text: Text;
}

/** What a field takes, without a word on whether it may be absent or null. */
export interface FieldRule {
  readonly shape: 'value' | 'list' | 'object' | 'objects';
  /** Trims, reads dates, reads numbers in text; what it cannot read it returns as it is, for `faults` to name. */
  readonly convert: (value: unknown, notation: Notation) => unknown;
  /** What is wrong with a converted value that is neither undefined nor null. */
  readonly faults: (value: unknown) => readonly Fault[];
  /** The same for readers of the OpenAPI document. */
  readonly schema: SchemaObject;
  /** Of a list: more items are not even looked at. */
  readonly maxItems?: number;
  /** Of objects: the class they become. */
  readonly item?: () => new () => object;
}

/** No fault at all; one array for all, because this is asked for every field of every request. */
export const FAULTLESS: readonly Fault[] = [];

export function fault(key: MessageKey, values?: Text['values'], at = ''): readonly Fault[] {
  return [{ at, text: values ? { key, values } : { key } }];
}

/** Text without control characters and the space around it; nothing but that is null (WIRE-11, WIRE-12). */
export function trimmed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = withoutControls(value).trim();
  return text === '' ? null : text;
}

/** The rule of a single value, from what is particular to it. */
export function valueRule(
  schema: SchemaObject,
  faults: (value: unknown) => readonly Fault[],
  convert: (value: unknown, notation: Notation) => unknown = trimmed,
): FieldRule {
  return { shape: 'value', schema, faults, convert };
}
