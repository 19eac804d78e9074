import { isDeepStrictEqual } from 'node:util';
import type { FieldPlan, RowsPlan } from './plan';
import { rawOf, type FormReader, type RawFields } from './raw-fields';
import type { Shown } from './shown';

/** Whether the sent field has the same value that the page showed, so the reader has not changed it. */
export function isAsShown(field: FieldPlan, raw: RawFields, shown: Shown, reader: FormReader): boolean {
  return isSameField(field, rawOf(field, shown.values[field.name], reader), raw);
}

/**
 * Whether the field has the same texts in `one` and `other`. Empty texts are ignored: a sent form contains empty rows
 * for new entries, but the values that the page showed contain no empty rows.
 */
export function isSameField(field: FieldPlan, one: RawFields, other: RawFields): boolean {
  const names = field.as === 'rows' ? namesOfRows(field, { ...one, ...other }) : [field.name];
  return names.every((name) =>
    isDeepStrictEqual(comparableTexts(field, one[name]), comparableTexts(field, other[name])),
  );
}

function namesOfRows({ name }: RowsPlan, raw: RawFields): readonly string[] {
  return Object.keys(raw).filter((fieldName) => fieldName.startsWith(`${name}.`));
}

/** Browsers send ticked boxes in the order of the form, so the order of their values has no meaning. */
function comparableTexts({ as }: FieldPlan, values: readonly string[] | undefined): readonly string[] {
  const texts = nonEmptyTexts(values);
  return as === 'choices' ? texts.toSorted() : texts;
}

export const nonEmptyTexts = (values: readonly string[] = []): readonly string[] =>
  values.filter((value) => value !== '');
