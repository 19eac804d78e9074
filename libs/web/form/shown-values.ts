import type { FormValues } from '../forms';
import type { TextKey } from '../texts';
import { FormConflict, FormPrecondition } from './form-precondition';
import { formRefusal } from './form-refusal';
import { formView, type FormView } from './form-view';
import type { FormPlan } from './plan';
import type { ApiValues, FormReader, RawFields } from './raw-fields';
import { shownField, shownIn } from './shown';

/** The version in the hidden field. The number has no meaning, because the edited values have no version. */
const NO_VERSION = 1;

/**
 * The data with which a form detects values that another request has changed in the meantime (PAGE-97). Only views
 * whose template writes the fields itself need this data; a `FormView` contains it already.
 */
export interface ShownValues {
  /** The hidden field with the values that the form shows. */
  readonly hidden: FormView['hidden'];
  /** The labels of the fields in the order of the plan, for the summary above the form (`refusal.eta`). */
  readonly labels: Readonly<Record<string, TextKey>>;
  /** Present only if the form was refused because of outdated values. */
  readonly conflict?: {
    /** The reason, for the summary above the form. */
    readonly text: string;
    /**
     * The values that the form shows now. A field that this person has edited shows the typed value. Any other field
     * shows the value that is stored now.
     */
    readonly values: FormValues;
    /** Every value of each field, for fields with several values. */
    readonly lists: Readonly<Record<string, readonly string[]>>;
    readonly errors: Readonly<Record<string, string>>;
  };
}

/**
 * For a form that edits values without a version: refuses the form if a value that it showed was changed in the
 * meantime (PAGE-97).
 *
 * @param current the stored values, read in the transaction of the change
 */
export function refuseOutdated(plan: FormPlan, raw: RawFields, reader: FormReader, current: ApiValues): void {
  new FormPrecondition(plan, raw, shownIn(plan, raw), reader, () => current).checkValues(current);
}

/**
 * The hidden field of a form, and the values and texts that the form shows after the refusal `error` of
 * `refuseOutdated`. If the form was refused for a different reason, it keeps the hidden field that was sent (`raw`).
 */
export function shownValues(
  plan: FormPlan,
  reader: FormReader,
  current: ApiValues,
  raw: RawFields = {},
  error?: unknown,
): ShownValues {
  const labels = Object.fromEntries(plan.fields.map(({ name, label }) => [name, label]));
  if (!(error instanceof FormConflict)) {
    const shown = shownIn(plan, raw) ?? { version: NO_VERSION, timezone: reader.timezone, values: current };
    return { hidden: [shownField(plan, shown)], labels };
  }
  const refusal = formRefusal(error, raw, reader.locale);
  const { hidden, sections } = formView(plan, reader, { refusal });
  const fields = sections.flatMap((section) => section.fields);
  return {
    hidden,
    labels,
    conflict: {
      text: refusal.text,
      values: Object.fromEntries(fields.map(({ name, values }) => [name, values[0] ?? ''])),
      lists: Object.fromEntries(fields.map(({ name, values }) => [name, values])),
      errors: Object.fromEntries(fields.flatMap((field) => (field.error === null ? [] : [[field.name, field.error]]))),
    },
  };
}
