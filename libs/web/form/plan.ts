import type { TextKey } from '../texts';

/**
 * A choice of a select or of a list of checkboxes. Its label is `text` (the key of a text) or `name` (a literal text,
 * such as the name of a group).
 */
export interface Choice {
  readonly value: string;
  readonly text?: TextKey;
  readonly name?: string;
}

/**
 * The heading of a `details` element. If `titleIfSet` is present, it is the heading while one of the fields has a
 * value, and values do not open the element.
 */
export interface MoreHeading {
  readonly title: TextKey;
  readonly titleIfSet?: TextKey;
}

interface Common {
  /** The name of the field in the API. */
  readonly name: string;
  readonly label: TextKey;
  readonly hint?: TextKey;
  readonly required?: boolean;
}

type Options<Extra = object> = Omit<Common, 'name' | 'label'> & Extra;

export interface TextPlan extends Common {
  readonly as: 'text';
  readonly type: 'text' | 'url' | 'search' | 'date';
  readonly autocomplete?: 'new-password' | 'one-time-code';
}
/** A `textarea`. */
export interface AreaPlan extends Common {
  readonly as: 'area';
  /** For an HTML field: the allowed tags. */
  readonly tags?: readonly string[];
}
export interface NumberPlan extends Common {
  readonly as: 'number';
  /** Whether the number is an amount of money. In Czech, an amount is shown with a decimal comma. */
  readonly isAmount: boolean;
}
export interface TimePlan extends Common {
  readonly as: 'time';
}
export interface CheckPlan extends Common {
  readonly as: 'check';
}
export interface SelectPlan extends Common {
  readonly as: 'select';
  readonly choices: readonly Choice[];
}
export interface ChoicesPlan extends Common {
  readonly as: 'choices';
  readonly choices: readonly Choice[];
}
export interface RowsPlan extends Common {
  readonly as: 'rows';
  readonly fields: readonly CellPlan[];
  /** The cells with these names are in a `details` element. */
  readonly more?: MoreHeading & { readonly names: readonly string[] };
  /** The heading of a row; `{number}` is replaced by the number of the row. */
  readonly each: TextKey;
}
export interface FilesPlan extends Common {
  readonly as: 'files';
  readonly many: boolean;
  readonly accept: string;
}

/** A field for the name of a place. The name sets `latitude` and `longitude` (PLACE-3). */
export interface PlacePlan extends Common {
  readonly as: 'place';
  readonly name: 'place';
}

/** A field that a row can contain. It has one value. */
export type CellPlan = TextPlan | AreaPlan | NumberPlan | TimePlan | CheckPlan | SelectPlan;
export type FieldPlan = CellPlan | ChoicesPlan | RowsPlan | FilesPlan | PlacePlan;

/** The minimum number of empty rows for new entries. Rows that were sent without a text count as empty rows. */
export const EMPTY_ROWS = 2;

export const text = (
  name: string,
  label: TextKey,
  { type = 'text', ...more }: Options<{ type?: TextPlan['type']; autocomplete?: TextPlan['autocomplete'] }> = {},
): TextPlan => ({
  as: 'text',
  name,
  label,
  type,
  ...more,
});
export const area = (name: string, label: TextKey, more: Options<{ tags?: AreaPlan['tags'] }> = {}): AreaPlan => ({
  as: 'area',
  name,
  label,
  ...more,
});
export const number = (
  name: string,
  label: TextKey,
  { isAmount = false, ...more }: Options<{ isAmount?: boolean }> = {},
): NumberPlan => ({
  as: 'number',
  name,
  label,
  isAmount,
  ...more,
});
/** A field of the type `datetime-local`. Its time is in the reader's zone. */
export const time = (name: string, label: TextKey, more: Options = {}): TimePlan => ({
  as: 'time',
  name,
  label,
  ...more,
});
/** One checkbox with the value `1`; an absent field means false. */
export const check = (name: string, label: TextKey, more: Options = {}): CheckPlan => ({
  as: 'check',
  name,
  label,
  ...more,
});
/** A select. If `choices` is absent, the page passes the choices when it shows the form. */
export const select = (
  name: string,
  label: TextKey,
  choices: readonly Choice[] = [],
  more: Options = {},
): SelectPlan => ({
  as: 'select',
  name,
  label,
  choices,
  ...more,
});
/** Checkboxes with the same name; an absent field means the empty list. */
export const choices = (
  name: string,
  label: TextKey,
  offered: readonly Choice[] = [],
  more: Options = {},
): ChoicesPlan => ({
  as: 'choices',
  name,
  label,
  choices: offered,
  ...more,
});
/** Rows with field names such as `stops.0.title`. Rows without any text are ignored. */
export const rows = (
  name: string,
  label: TextKey,
  each: TextKey,
  fields: readonly CellPlan[],
  options: Options<{ more?: RowsPlan['more'] }> = {},
): RowsPlan => ({
  as: 'rows',
  name,
  label,
  each,
  fields,
  ...options,
});
export const files = (
  name: string,
  label: TextKey,
  { many = false, accept = 'image/*', ...more }: Options<{ many?: boolean; accept?: string }> = {},
): FilesPlan => ({
  as: 'files',
  name,
  label,
  many,
  accept,
  ...more,
});

/** The field for the name of a place. Forms show it before `latitude` and `longitude`. */
export const place = (hint: TextKey = 'place_hint'): PlacePlan => ({
  as: 'place',
  name: 'place',
  label: 'place_field',
  hint,
});

/** `latitude` and `longitude`, for people who do not enter the name of a place. */
export const COORDINATES: Section['more'] = {
  title: 'coordinates',
  titleIfSet: 'coordinates_set',
  fields: [number('latitude', 'lat', { hint: 'event_point_hint' }), number('longitude', 'lng')],
};

/** The choices of a vocabulary. With the prefix `type_`, the text of `walk` has the key `type_walk`. */
export function choicesOf<Value extends string, Prefix extends string>(
  values: readonly Value[],
  prefix: Prefix & (`${Prefix}${Value}` extends TextKey ? unknown : never),
): readonly Choice[] {
  return values.map((value) => ({ value, text: `${prefix as string}${value}` as TextKey }));
}

/** A part of a form, usually with a heading. */
export interface Section {
  readonly title?: TextKey;
  readonly fields: readonly FieldPlan[];
  /**
   * Optional fields that few people need, in a `details` element. The element is open if one of the fields has an
   * error, a remark (`FormContent.remarks`), or, unless `titleIfSet` is present, a value.
   */
  readonly more?: MoreHeading & { readonly fields: readonly FieldPlan[] };
}

/** The sections of a form, and all fields of these sections. `SentForm` ignores other fields of a request. */
export interface FormPlan {
  readonly id: string;
  readonly sections: readonly Section[];
  readonly fields: readonly FieldPlan[];
}

const plans = new Map<string, FormPlan>();

/** Registers a form: `formPlan('event', { title: 'event_when', fields: [time('starts_at', 'event_start')] })` */
export function formPlan(id: string, ...sections: readonly Section[]): FormPlan {
  const plan = { id, sections, fields: sections.flatMap(({ fields, more }) => [...fields, ...(more?.fields ?? [])]) };
  plans.set(id, plan);
  return plan;
}

/** A form without headings. */
export function plainForm(id: string, ...fields: readonly FieldPlan[]): FormPlan {
  return formPlan(id, { fields });
}

/**
 * Returns the plan with this id, or null. Used for a form that was sent after the person's session had ended
 * (`ExpiredForms`).
 */
export function planOf(id: string | null): FormPlan | null {
  return (id === null ? undefined : plans.get(id)) ?? null;
}
