import { textIn } from '../forms';
import { translator, type TextKey, type Translate } from '../texts';
import { isAsShown } from './as-shown';
import { keyFieldIn } from './form-keys';
import { alertText, faultsOf, idOf, nameOf, type Fault, type ReaderChoices } from './form-faults';
import type { FormRefusal } from './form-refusal';
import {
  EMPTY_ROWS,
  type CellPlan,
  type ChoicesPlan,
  type SelectPlan,
  type FieldPlan,
  type FormPlan,
  type MoreHeading,
  type RowsPlan,
} from './plan';
import { sentPlace } from '../places/sent-place';
import {
  cellOf,
  rawForm,
  rawOf,
  rowNumbers,
  rowsWithText,
  type ApiValues,
  type FormReader,
  type RawFields,
} from './raw-fields';
import { shownField, shownIn } from './shown';

export interface FieldView {
  readonly as: FieldPlan['as'];
  readonly name: string;
  readonly id: string;
  readonly label: string;
  /** The word "required" or "optional" in the label; null if the label contains neither word (`noteFor`). */
  readonly note: string | null;
  readonly hint: string | null;
  /** A remark to which the reader should pay attention, but which is not an error. */
  readonly remark: string | null;
  readonly required: boolean;
  readonly error: string | null;
  readonly type: string;
  readonly autocomplete: string | null;
  readonly values: readonly string[];
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  /** For a field of the kind `place` with an error: labels of the places that the typed name can mean. */
  readonly places: readonly string[];
  readonly rows: readonly SectionView[];
  /** For a field of the kind `files`: whether the reader can choose several files. */
  readonly many: boolean;
  readonly accept: string;
  /** For an HTML field: the allowed tags. The editor has buttons for some of them. */
  readonly tags: readonly string[];
}

/** A form for `views/form.eta`. */
export interface FormView {
  readonly hidden: readonly (readonly [string, string])[];
  readonly sections: readonly SectionView[];
  readonly alert: FormAlert | null;
  readonly hasFiles: boolean;
}

interface SectionView {
  readonly title: string | null;
  readonly fields: readonly FieldView[];
  /** Fields in a `details` element. */
  readonly more?: { readonly title: string; readonly fields: readonly FieldView[]; readonly isOpen: boolean };
}

/** The reason for a refusal, and the errors of single fields. */
interface FormAlert {
  readonly text: string;
  readonly fields: readonly { readonly id: string | null; readonly label: string; readonly text: string }[];
  /** Whether files were sent; the reader has to choose them again. */
  readonly hadFiles: boolean;
  readonly isConflict: boolean;
}

interface FormContent {
  /** The initial content of the form: a resource of the API, or the default values for a new resource. */
  readonly values?: ApiValues;
  /** For an edit form: the version of the resource in `values`. */
  readonly version?: number;
  /** For a form that must take effect only once: an idempotency key, made by `newKey()`. */
  readonly key?: readonly [string, string];
  readonly choices?: ReaderChoices;
  /** Remarks that need attention, by the name of their field. */
  readonly remarks?: Readonly<Record<string, TextKey>>;
  readonly refusal?: FormRefusal | null;
  /** The sent values, if the form is shown again without a refusal. */
  readonly typed?: RawFields | null;
}

/**
 * The form as the page shows it: with its initial values, or, if it was sent before, with the sent values
 * (`valuesToShow`).
 */
export function formView(plan: FormPlan, currentReader: FormReader, content: FormContent): FormView {
  const { refusal = null, typed = null, choices = {}, remarks = {} } = content;
  const sent = refusal?.raw ?? typed;
  const shown = sent && shownIn(plan, sent);
  // If the form was sent before, it keeps the time zone in which it was shown before, because the typed times are in
  // this zone.
  const reader = shown ? { ...currentReader, timezone: shown.timezone } : currentReader;
  const say = translator(reader.locale);
  const raw = valuesToShow(plan, reader, content);
  const faults = faultsOf(plan, raw, refusal, reader, choices);
  const builder = new FieldBuilder(say, raw, faults, choices, remarks);
  const note = noteFor(plan);
  return {
    hidden: hiddenFields(plan, reader, content),
    sections: plan.sections.map(({ title, fields, more }) => {
      const moreFields = (more?.fields ?? []).map((field) => builder.field(field, note(field)));
      return {
        title: title === undefined ? null : say(title),
        fields: fields.map((field) => builder.field(field, note(field))),
        ...(more && { more: moreView(more, moreFields, say) }),
      };
    }),
    alert: refusal && {
      text: alertText(refusal, faults, say),
      fields: faults,
      hadFiles: refusal.hadFiles,
      isConflict: refusal.conflict !== null,
    },
    hasFiles: plan.fields.some(({ as }) => as === 'files'),
  };
}

/** The element is open if a field has an error, a remark, or a value that the heading does not mention (PAGE-107). */
function moreView(
  { title, titleIfSet }: MoreHeading,
  fields: readonly FieldView[],
  say: Translate,
): NonNullable<SectionView['more']> {
  const isSet = fields.some(hasValue);
  const needsAttention = fields.some(({ error, remark }) => error !== null || remark !== null);
  return {
    title: say(isSet ? (titleIfSet ?? title) : title),
    fields,
    isOpen: needsAttention || (isSet && titleIfSet === undefined),
  };
}

/** The first choice of a select counts as no value. */
function hasValue({ as, values, choices }: FieldView): boolean {
  const empty = as === 'select' ? choices[0]?.value : '';
  return (values[0] ?? empty) !== empty;
}

/**
 * The values that the form shows: the initial values, or the sent values if the form was sent before. After a conflict,
 * a field that the reader did not change shows the value that is stored now.
 */
function valuesToShow(
  plan: FormPlan,
  reader: FormReader,
  { values = {}, refusal = null, typed = null }: FormContent,
): RawFields {
  if (!refusal) return typed ?? rawForm(plan, values, reader);
  const { raw, conflict } = refusal;
  const shown = shownIn(plan, raw);
  if (!conflict || !shown) return raw;
  const untouched = conflict.conflicts.filter(({ field }) => isAsShown(field, raw, shown, reader));
  const names = new Set(untouched.map(({ field }) => field.name));
  const changedFields = Object.fromEntries(
    Object.entries(raw).filter(([name]) => !names.has(name.split('.', 1)[0] ?? '')),
  );
  return Object.assign(
    changedFields,
    ...untouched.map(({ field, current }) => rawOf(field, current, reader)),
  ) as RawFields;
}

function hiddenFields(plan: FormPlan, { timezone }: FormReader, content: FormContent): FormView['hidden'] {
  const { values = {}, version, key, refusal = null, typed = null } = content;
  const { conflict = null, raw = typed ?? {} } = refusal ?? {};
  const hidden: (readonly [string, string])[] = [];
  const formKey = keyFieldIn(raw) ?? key;
  if (formKey) hidden.push(formKey);
  if (conflict) hidden.push(shownField(plan, { version: conflict.version, timezone, values: conflict.current }));
  else if (raw['_shown']?.[0]) hidden.push(['_shown', raw['_shown'][0]]);
  else if (version !== undefined) hidden.push(shownField(plan, { version, timezone, values }));
  return hidden;
}

/** The kinds of fields that can be left empty. Only their labels can contain "required" or "optional" (PAGE-119). */
const CAN_BE_EMPTY: ReadonlySet<FieldPlan['as']> = new Set([
  'text',
  'area',
  'number',
  'time',
  'place',
  'files',
  'rows',
]);

/**
 * Returns a function that returns the word in the label of a field: "required", "optional" or null (no word). If the
 * form has required and optional fields, the fields of the rarer kind have a word. If both kinds have equally many
 * fields, the optional fields have a word (PAGE-119).
 */
function noteFor({ fields }: FormPlan): (field: FieldPlan) => 'required' | 'optional' | null {
  const canBeEmpty = fields.filter(({ as }) => CAN_BE_EMPTY.has(as));
  const required = canBeEmpty.filter((field) => field.required).length;
  const optional = canBeEmpty.length - required;
  const rarer = required < optional ? 'required' : 'optional';
  return ({ as, required: isRequired = false }) =>
    required > 0 && optional > 0 && CAN_BE_EMPTY.has(as) && isRequired === (rarer === 'required') ? rarer : null;
}

/** Builds the fields with their values, remarks and errors. */
class FieldBuilder {
  constructor(
    private readonly say: Translate,
    private readonly raw: RawFields,
    private readonly faults: readonly Fault[],
    private readonly choices: ReaderChoices,
    private readonly remarks: NonNullable<FormContent['remarks']>,
  ) {}

  field(field: FieldPlan, note: TextKey | null = null): FieldView {
    const { name, label, hint, required = false } = field;
    const remark = this.remarks[name];
    return {
      as: field.as,
      name: field.as === 'files' && field.many ? `${name}[]` : name,
      id: idOf(name),
      label: this.say(label),
      note: note && this.say(note),
      hint: hint === undefined ? null : this.say(hint),
      remark: remark === undefined ? null : this.say(remark),
      required,
      error: this.faults.find((fault) => fault.name === name)?.text ?? null,
      type: field.as === 'text' ? field.type : 'text',
      autocomplete: field.as === 'text' ? (field.autocomplete ?? null) : null,
      values: field.as === 'place' ? [textIn(this.raw[name]) ?? ''] : (this.raw[name] ?? []),
      choices: field.as === 'select' || field.as === 'choices' ? this.choicesOf(field) : [],
      places: field.as === 'place' && this.hasFault(name) ? sentPlace(textIn(this.raw[name])).choices : [],
      rows: field.as === 'rows' ? this.rows(field) : [],
      many: field.as === 'files' && field.many,
      accept: field.as === 'files' ? field.accept : '',
      tags: field.as === 'area' ? (field.tags ?? []) : [],
    };
  }

  private hasFault(name: string): boolean {
    return this.faults.some((fault) => fault.name === name);
  }

  /**
   * The choices of a field. Values of the field that are not among the offered choices are added, so that they are not
   * lost.
   */
  private choicesOf({ name, choices }: SelectPlan | ChoicesPlan): FieldView['choices'] {
    const offered = (this.choices[name] ?? choices).map((one) => ({ value: one.value, name: nameOf(one, this.say) }));
    const others = (this.raw[name] ?? []).filter((value) => !offered.some((one) => one.value === value));
    return [...offered, ...others.map((value) => ({ value, name: value }))];
  }

  private rows(plan: RowsPlan): FieldView['rows'] {
    const sentRows = rowNumbers(plan, this.raw);
    const withText = rowsWithText(plan, this.raw);
    const nextRow = Math.max(-1, ...sentRows) + 1;
    const missingEmptyRows = Math.max(0, EMPTY_ROWS - (sentRows.length - withText.length));
    const isMore = ({ name }: CellPlan) => plan.more?.names.includes(name) ?? false;
    return [...sentRows, ...Array.from({ length: missingEmptyRows }, (_, i) => nextRow + i)].map((row) => {
      const view = (cell: CellPlan) => this.field(cellOf(plan, row, cell));
      const moreFields = plan.fields.filter(isMore).map(view);
      return {
        title: this.say(plan.each, { number: row + 1 }),
        fields: plan.fields.filter((cell) => !isMore(cell)).map(view),
        ...(plan.more && { more: moreView(plan.more, moreFields, this.say) }),
      };
    });
  }
}
