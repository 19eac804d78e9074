import { LIMITS } from '#contract/limits';
import { CURRENCIES, type Currency } from '#contract/vocabulary';
import { EnumField, NumberField, SlugField, SlugListField, TitleField } from '#platform/http/fields';

const { expenses } = LIMITS;

/** Body of POST /events/{id}/expenses. */
export class CreateExpenseDto {
  @TitleField({ ...expenses.title, required: true, description: 'what was paid for' })
  title: string;

  @NumberField({ ...expenses.amount, required: true, description: 'in currency units, with at most two decimals' })
  amount: number;

  @EnumField(CURRENCIES, { nullable: true, description: 'CZK when absent' })
  currency?: Currency | null;

  @SlugField({
    nullable: true,
    description: 'the person who paid: the organizer or a confirmed participant; if absent, the organizer',
  })
  paid_by?: string | null;

  @SlugListField({
    ...expenses.shared_with,
    nullable: true,
    description: 'the people who share the amount equally; if absent, the organizer and all confirmed participants',
  })
  shared_with?: string[] | null;
}
