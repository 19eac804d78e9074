import type { FieldErrors } from '#platform/http/refusal';
import { translateForPeople } from '../field-labels';
import { localTime } from '../local-time';
import { amountText, numberText, translator, type Translate } from '../texts';
import type { Conflict } from './form-precondition';
import type { FormRefusal } from './form-refusal';
import type { Choice, FieldPlan, FormPlan } from './plan';
import { cellOf, rawOf, rowsWithText, type FormReader, type RawFields } from './raw-fields';

/** The choices that depend on the reader, by the name of their field. */
export type ReaderChoices = Readonly<Record<string, readonly Choice[]>>;

/**
 * The text above the form: the reason of the refusal. If the refusal concerns one field, the list of errors below
 * contains the reason, and the text only refers to this list.
 */
export function alertText({ field, text }: FormRefusal, faults: readonly Fault[], say: Translate): string {
  return field !== null && faults.length > 0 ? say('form_check') : text;
}

/** An error. `label` is the name of the field on the page. `name` and `id` are null if the form has no such field. */
export interface Fault {
  readonly name: string | null;
  readonly id: string | null;
  readonly label: string;
  readonly text: string;
}

/** The errors of a refused form, for the list above the form. The list is empty if the form was not refused. */
export function faultsOf(
  plan: FormPlan,
  raw: RawFields,
  refusal: FormRefusal | null,
  reader: FormReader,
  choices: ReaderChoices = {},
): readonly Fault[] {
  if (!refusal) return [];
  const say = translator(reader.locale);
  if (refusal.conflict)
    return refusal.conflict.conflicts.map((one) => ({
      name: one.field.name,
      id: idOf(one.field.name),
      label: say(one.field.label),
      text: conflictText(one, reader, say, choices),
    }));
  const ownField = plan.fields.find(({ name }) => name === refusal.field);
  if (ownField)
    return [{ name: ownField.name, id: idOf(ownField.name), label: say(ownField.label), text: refusal.text }];
  return sortedErrors(plan, refusal.errors).flatMap(([apiName, [first]]) => {
    if (!first) return [];
    const formField = formFieldOf(plan, raw, apiName, say);
    const text = translateForPeople(first, reader.locale, (other) => otherLabel(plan, raw, apiName, other, say));
    return [{ ...formField, text }];
  });
}

/** The errors in the order of the form's fields. Errors that belong to no field of the form are last. */
function sortedErrors({ fields }: FormPlan, errors: FieldErrors): readonly (readonly [string, FieldErrors[string]])[] {
  const names = fields.map(({ name }) => name);
  const positionOf = (apiName: string): number => {
    const position = names.indexOf(apiName.split('.', 1)[0] ?? '');
    return position === -1 ? names.length : position;
  };
  return Object.entries(errors).toSorted(([one], [other]) => positionOf(one) - positionOf(other));
}

/** Returns the form field for the name of an API field in an error, such as `title`, `images.0` or `stops.1.title`. */
function formFieldOf(plan: FormPlan, raw: RawFields, apiName: string, say: Translate): Omit<Fault, 'text'> {
  const [name = '', number = '', inner] = apiName.split('.');
  const field = plan.fields.find((one) => one.name === name);
  if (!field) return { name: null, id: null, label: say('other_field') };
  if (field.as !== 'rows' || number === '') return { name, id: idOf(name), label: say(field.label) };
  const row = rowsWithText(field, raw)[Number(number)] ?? Number(number);
  const title = say(field.each, { number: row + 1 });
  const cell = field.fields.find((one) => one.name === inner) ?? field.fields[0];
  if (!cell) return { name, id: idOf(name), label: title };
  const fullName = cellOf(field, row, cell).name;
  return { name: fullName, id: idOf(fullName), label: `${title}: ${say(cell.label)}` };
}

/**
 * The label of the field `other`, which the error of the field `apiName` mentions. If this error belongs to a row,
 * `other` can be a field of the same row.
 */
function otherLabel(plan: FormPlan, raw: RawFields, apiName: string, other: string, say: Translate): string {
  const field = plan.fields.find(({ name }) => name === apiName.split('.', 1)[0]);
  const cell = field?.as === 'rows' ? field.fields.find(({ name }) => name === other) : undefined;
  return cell ? say(cell.label) : formFieldOf(plan, raw, other, say).label;
}

function conflictText(
  { field, shown, current }: Conflict,
  reader: FormReader,
  say: Translate,
  choices: ReaderChoices,
): string {
  const textOf = (value: unknown) => valueText(field, value, reader, say, choices[field.name]);
  return say('form_conflict', { before: textOf(shown), now: textOf(current) });
}

function valueText(
  field: FieldPlan,
  value: unknown,
  reader: FormReader,
  say: Translate,
  choices: readonly Choice[] | undefined,
): string {
  if (value === null || value === undefined || value === '') return say('form_nothing');
  if (field.as === 'check') return say(value === true ? 'form_yes' : 'form_no');
  if (field.as === 'time') return say('quoted', { text: localTime(reader, new Date(value as string)) });
  if (field.as === 'number' && typeof value === 'number' && (field.isAmount || Number.isInteger(value)))
    return say('quoted', { text: (field.isAmount ? amountText : numberText)(value, reader.locale) });
  if (field.as === 'select' || field.as === 'choices') {
    const labels = [value as string | readonly string[]].flat().map((one) => {
      const choice = (choices ?? field.choices).find((each) => each.value === one);
      return choice ? nameOf(choice, say) : one;
    });
    return labels.length > 0 ? labels.join(', ') : say('form_nothing');
  }
  const texts = Object.values(rawOf(field, value, reader))
    .flat()
    .filter(Boolean);
  return texts.length > 0 ? say('quoted', { text: texts.join(', ') }) : say('form_nothing');
}

export const idOf = (name: string): string => `field-${name.replaceAll('.', '-')}`;
export const nameOf = ({ value, text, name }: Choice, say: Translate): string => (text ? say(text) : (name ?? value));
