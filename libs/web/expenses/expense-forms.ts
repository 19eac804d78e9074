import { CURRENCIES } from '#contract/vocabulary';
import { choices, number, plainForm, select, text, type FormPlan } from '../form/plan';
import type { RawFields } from '../form/raw-fields';

const currencies = CURRENCIES.map((value) => ({ value, name: value }));

export const EXPENSE_FORM = plainForm(
  'expense',
  text('title', 'expense_title', { required: true }),
  number('amount', 'expense_amount', { isAmount: true, required: true }),
  select('currency', 'expense_currency', currencies),
  select('paid_by', 'expense_paid_by'),
  choices('shared_with', 'expense_shared_with', [], { hint: 'expense_shared_hint' }),
);

export const PAYMENT_FORM = plainForm(
  'payment',
  select('from', 'payment_from'),
  select('to', 'payment_to', [], { required: true }),
  number('amount', 'expense_amount', { isAmount: true, required: true }),
  select('currency', 'expense_currency', currencies),
);

/**
 * The plan of a sent expense form. If no box of `shared_with` is ticked, the plan does not contain this field. The
 * organizer and all confirmed participants then share the expense, as for a request to the API without this field.
 */
export function expensePlanFor(raw: RawFields): FormPlan {
  if (raw['shared_with']) return EXPENSE_FORM;
  return { ...EXPENSE_FORM, fields: EXPENSE_FORM.fields.filter(({ name }) => name !== 'shared_with') };
}
