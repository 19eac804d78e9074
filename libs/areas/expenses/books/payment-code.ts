import { LIMITS } from '#contract/limits';
import type { Currency } from '#contract/vocabulary';
import { transliterate } from '#platform/text/transliterate';
import { toUnits } from './money';

/** Data of a Czech QR Payment code. */
export interface PaymentOrder {
  /** Electronic format: capitals and digits, no spaces. */
  readonly iban: string;
  readonly cents: number;
  readonly currency: Currency;
  readonly message: string;
}

/**
 * The content of a Czech QR Payment code, a Short Payment Descriptor 1.0 (EXP-12). `*` separates fields, and `%` begins
 * an escape. So `*` is removed from the message, and `%` is escaped. Fields must not be empty, so the field MSG is
 * omitted if nothing remains of the message.
 */
export function paymentCode({ iban, cents, currency, message }: PaymentOrder): string {
  const fields = [`ACC:${iban}`, `AM:${toUnits(cents).toFixed(2)}`, `CC:${currency}`];
  const text = messageField(message);
  return ['SPD*1.0', ...fields, ...(text === '' ? [] : [`MSG:${text}`])].join('*');
}

/**
 * Returns ASCII text without `*` and with escaped `%`. The text is cut to the maximum length of the standard, and
 * never inside an escape.
 */
function messageField(message: string): string {
  // The second call of `transliterate` makes one space of the spaces before and after a removed `*`.
  const text = transliterate(transliterate(message).replaceAll('*', ''));
  let field = '';
  for (const character of text) {
    const escaped = character === '%' ? '%25' : character;
    if (field.length + escaped.length > LIMITS.expenses.payment_message.max) break;
    field += escaped;
  }
  return field.trimEnd();
}
