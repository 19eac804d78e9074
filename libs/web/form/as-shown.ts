import { isDeepStrictEqual } from 'node:util';
import type { FieldPlan, RowsPlan } from './plan';
import { rawOf, type FormReader, type RawFields } from './raw-fields';
import type { Shown } from './shown';

/** Whether the reader has not changed the field. */
export function isAsShown(field: FieldPlan, raw: RawFields, shown: Shown, reader: FormReader): boolean {
  const before = rawOf(field, shown.values[field.name], reader);
  // Browsers send ticked boxes in the order of the form, so the order of the values has no meaning.
  if (field.as === 'choices')
    return isDeepStrictEqual([...nonEmptyTexts(before[field.name])].sort(), [...nonEmptyTexts(raw[field.name])].sort());
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
export function sameRaw(before: RawFields, raw: RawFields, names: readonly string[]): boolean {
  return names.every((name) => isDeepStrictEqual(nonEmptyTexts(before[name]), nonEmptyTexts(raw[name])));
}

export const nonEmptyTexts = (values: readonly string[] = []): readonly string[] =>
  values.filter((value) => value !== '');
