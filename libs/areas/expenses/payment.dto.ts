import { LIMITS } from '#contract/limits';
import { CURRENCIES, type Currency } from '#contract/vocabulary';
import { EnumField, NumberField, SlugField } from '#platform/http/fields';

/** Body of POST /events/{id}/expenses/payments. */
export class RecordPaymentDto {
  @SlugField({ nullable: true, description: 'the person who paid; if absent, the caller' })
  from?: string | null;

  @SlugField({
    required: true,
    description: 'the person who was paid; this must be the caller if `from` is another person',
  })
  to: string;

  @NumberField({
    ...LIMITS.expenses.amount,
    required: true,
    description: 'in currency units, with at most two decimals',
  })
  amount: number;

  @EnumField(CURRENCIES, { nullable: true, description: 'CZK when absent' })
  currency?: Currency | null;
}
