import type { SchemaObject } from '@nestjs/swagger';
import { FAULTLESS, NOT_A_VALUE, TOO_LONG, fault, type Fault, type FieldRule } from './field-rule';

/** How many items a list may have, and whether an item may come twice. */
export interface ListBounds {
  readonly min?: number;
  readonly max: number;
  readonly unique?: boolean;
}

/** A list of single values. In text one value alone is a list of one. */
export function listRule(item: FieldRule, bounds: ListBounds): FieldRule {
  return {
    shape: 'list',
    maxItems: bounds.max,
    schema: { type: 'array', items: item.schema, ...itemBounds(bounds) },
    convert: (value, notation) => {
      if (Array.isArray(value)) return value.map((one: unknown) => item.convert(one, notation));
      return notation === 'text' && typeof value === 'string' ? [item.convert(value, notation)] : value;
    },
    faults: (value) => listFaults(value, bounds, (one) => (one === null ? fault('not_null') : item.faults(one))),
  };
}

/** A list of objects of a class of its own. */
export function objectsRule(item: () => new () => object, bounds: ListBounds): FieldRule {
  return {
    shape: 'objects',
    maxItems: bounds.max,
    item,
    schema: { type: 'array', ...itemBounds(bounds) },
    convert: (value) => value,
    faults: (value) => listFaults(value, bounds, objectFaults),
  };
}

/** An object of a class of its own. */
export function objectRule(item: () => new () => object): FieldRule {
  return { shape: 'object', item, schema: { type: 'object' }, convert: (value) => value, faults: objectFaults };
}

function objectFaults(value: unknown): readonly Fault[] {
  return typeof value === 'object' && value !== null ? FAULTLESS : fault('object');
}

function listFaults(
  value: unknown,
  { min, max, unique }: ListBounds,
  faultsOf: (item: unknown) => readonly Fault[],
): readonly Fault[] {
  if (value === TOO_LONG) return fault('list_too_long', { max });
  if (!Array.isArray(value) || (value as unknown) === NOT_A_VALUE) return fault('list');
  if (min !== undefined && value.length < min) return fault('list_too_short', { min });
  const faults = value.flatMap((item: unknown, i) => faultsOf(item).map((one) => ({ ...one, at: `.${i}${one.at}` })));
  if (faults.length > 0 || !unique) return faults;
  return value.flatMap((item: unknown, i) =>
    value.indexOf(item) < i ? fault('repeated', undefined, `.${i}`) : FAULTLESS,
  );
}

function itemBounds({ min, max, unique }: ListBounds): SchemaObject {
  return { ...(min === undefined ? {} : { minItems: min }), maxItems: max, ...(unique ? { uniqueItems: true } : {}) };
}
