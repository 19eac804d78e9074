import type { Locale } from '#contract/vocabulary';
import type { Dto } from '#platform/http/declared-fields';
import { Input, readInput, validateInput, type Validated } from '#platform/http/input';
import { Refusal, type FieldErrors } from '#platform/http/refusal';
import { plainValue } from './form/raw-fields';
import { translateForPeople, type Labelled } from './field-labels';

/** The text fields of a form as they were sent. */
export type FormValues = Record<string, string | undefined>;

export function formValues(body: unknown): FormValues {
  const sent = Object.entries((body ?? {}) as Record<string, unknown>).map(([name, value]) => [name, textIn(value)]);
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined)) as FormValues;
}

/**
 * The text of a field. If a form sends a field several times, the first value that is not empty counts. For example,
 * the radio buttons and the text field of a place are all named `place`, and the radio buttons come first: the chosen
 * place has precedence over the typed text (PLACE-2).
 */
export function textIn(value: unknown): string | undefined {
  const texts = [value].flat().filter((one): one is string => typeof one === 'string');
  return texts.find((one) => one !== '') ?? texts[0];
}

/**
 * A submitted form, for services that take an `Input`. `read()` returns the validated fields, in which an empty field
 * is null. If a field is invalid, `read()` throws 422. `values` are the fields as they were sent, to show them again.
 */
export class Form<T extends object> extends Input<T> {
  private constructor(
    result: Validated<T>,
    readonly values: FormValues,
  ) {
    super(result);
  }

  static async ofFields<T extends object>(dto: Dto<Labelled<T>>, values: FormValues): Promise<Form<T>> {
    return new Form<T>(await validateInput<T>(dto, fieldsIn(values, dto), 'text'), values);
  }
}

/** Returns the validated DTO; an empty field is null. Throws 422 with the names of the invalid fields. */
export function readFields<T extends object>(dto: Dto<Labelled<T>>, values: FormValues): Promise<T> {
  return readInput(dto, fieldsIn(values, dto), 'text');
}

/** The fields for the validation. An empty field is null; numbers and days in Czech notation are converted (PAGE-96). */
function fieldsIn(values: FormValues, dto: Dto): Record<string, string | null | undefined> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value?.trim() === '' ? null : value && plainValue(dto, name, value),
    ]),
  );
}

/**
 * Returns the first error of each invalid field of a form, in words for people (PAGE-42). Throws `error` again if it is
 * not a refusal of fields.
 */
export function fieldErrors(error: unknown, locale: Locale): Record<string, string> {
  if (!(error instanceof Refusal) || !error.details.errors) throw error;
  return errorsForPeople(error.details.errors, locale);
}

/** The first error of each field, in words for people (PAGE-42). */
export function errorsForPeople(errors: FieldErrors, locale: Locale): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, [first]]) => (first ? [[field, translateForPeople(first, locale)]] : [])),
  );
}

/**
 * Makes all checks, and throws one refusal with the errors of all fields. The first error of a field counts. Any error
 * that is not a refusal of fields is thrown immediately.
 */
export function checkAll(...checks: readonly (() => unknown)[]): void {
  const errors: Record<string, FieldErrors[string]> = {};
  for (const check of checks)
    try {
      check();
    } catch (error) {
      if (!(error instanceof Refusal) || !error.details.errors) throw error;
      for (const [field, texts] of Object.entries(error.details.errors)) errors[field] ??= texts;
    }
  if (Object.keys(errors).length > 0) throw new Refusal('validation_failed', { errors });
}
