import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { CURRENCIES, type Currency } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { Payment } from '#settlement/payments';
import type { Settlement } from '#settlement/settle';
import { PersonResource } from '../identity/person.resource';
import { balanceOf, type BookAccount, type BookedExpense, type CurrencyBooks } from './books/books';
import type { BookPeople } from './books/book-people';
import { toUnits } from './books/money';
import { epcCode } from './books/epc-code';
import { paymentCode } from './books/payment-code';
import { recordedPaymentResource, RecordedPaymentResource } from './payments/payment.resource';

export class ExpenseShareResource {
  /** the person who shares */
  user: PersonResource;
  /** in currency units */
  amount: number;
}

/** An expense of an event (EXP-6). */
export class ExpenseResource {
  /** hashid */
  id: string;
  /** what was paid for */
  title: string;
  /** in currency units */
  amount: number;
  /** currency of the amount */
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** the person who paid */
  paid_by: PersonResource;
  /** ordered by slug */
  shared_with: PersonResource[];
  /** ordered by the slug of the person; they add up to the amount exactly */
  shares: ExpenseShareResource[];
  /** when the expense was added */
  created_at: string;
}

export class BalanceResource {
  /** the person whose balance this is */
  user: PersonResource;
  /** the sum of the expenses that the person paid, in currency units */
  paid: number;
  /** the person's share of all expenses, in currency units */
  share: number;
  /** what the person paid to others, according to the recorded payments, in currency units */
  sent: number;
  /** what the person received from others, according to the recorded payments, in currency units */
  received: number;
  /** paid - share + sent - received; positive: others owe the person money; negative: the person owes money */
  balance: number;
}

export class PaymentResource {
  /** the IBAN of the receiver */
  iban: string;
  /** content of a Czech QR Payment code */
  spd: string;
  /** content of an EPC QR code (SEPA credit transfer); null if the currency is not EUR */
  epc: string | null;
}

export class SettlementResource {
  /** the person who has to pay */
  from: PersonResource;
  /** the person who receives the payment */
  to: PersonResource;
  /** in currency units */
  amount: number;
  /** for the organizer and for the person who has to pay; null for others, and if the receiver has no bank account */
  payment: PaymentResource | null;
}

export class CurrencySummaryResource {
  /** the sum of all expenses; payments between people do not count */
  total: number;
  /** one balance for each person who paid or shares an expense, or sent or received a payment; ordered by slug */
  balances: BalanceResource[];
  /** the payments that settle all balances */
  settlement: SettlementResource[];
  /** recorded payments between people, in the order of entry */
  payments: RecordedPaymentResource[];
  /** whether it is proven that fewer payments are impossible */
  optimal: boolean;
}

export class BookParticipantResource extends PersonResource {
  /** whether the person organizes the event */
  is_organizer: boolean;
}

export class ExpensesViewerResource {
  /** whether the caller is the organizer */
  can_manage: boolean;
}

/** The expense list of an event. */
@ApiExtraModels(CurrencySummaryResource)
export class ExpensesResource {
  /** in the order in which they were entered */
  expenses: ExpenseResource[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(CurrencySummaryResource) },
    description: 'one summary for each currency; the keys are the currencies',
  })
  summary: Partial<Record<Currency, CurrencySummaryResource>>;
  /** the people who may pay or share a new expense */
  participants: BookParticipantResource[];
  /** what the caller may do here */
  viewer: ExpensesViewerResource;
}

export function expenseResource(expense: BookedExpense, people: BookPeople, wire: WireFormat): ExpenseResource {
  return {
    id: wire.id('expense', expense.id),
    title: expense.title,
    amount: toUnits(expense.cents),
    currency: expense.currency,
    paid_by: people.resourceOf(expense.paidBy),
    shared_with: expense.shares.map(({ userId }) => people.resourceOf(userId)),
    shares: expense.shares.map(({ userId, cents }) => ({ user: people.resourceOf(userId), amount: toUnits(cents) })),
    created_at: toWire(expense.createdAt),
  };
}

/**
 * Context of suggested payments. The organizer sees the IBANs of all receivers. Other viewers see only the IBANs of the
 * people whom they have to pay. The event's title is the message of the payment.
 */
export interface PaymentContext {
  readonly viewerId: number;
  readonly eventTitle: string;
}

export function currencySummaryResource(
  books: CurrencyBooks,
  settlement: Settlement,
  people: BookPeople,
  context: PaymentContext,
  wire: WireFormat,
): CurrencySummaryResource {
  return {
    total: toUnits(books.total),
    balances: books.accounts.map((account) => balanceResource(account, people)),
    settlement: settlement.payments.map((payment) => settlementResource(payment, books, people, context)),
    payments: books.payments.map((payment) => recordedPaymentResource(payment, people, wire)),
    optimal: settlement.optimal,
  };
}

function balanceResource(account: BookAccount, people: BookPeople): BalanceResource {
  const { userId, paid, share, sent, received } = account;
  return {
    user: people.resourceOf(userId),
    paid: toUnits(paid),
    share: toUnits(share),
    sent: toUnits(sent),
    received: toUnits(received),
    balance: toUnits(balanceOf(account)),
  };
}

function settlementResource(
  { from, to, cents }: Payment,
  { accounts, currency }: CurrencyBooks,
  people: BookPeople,
  context: PaymentContext,
): SettlementResource {
  const sender = accounts[from]?.userId ?? 0;
  const receiver = accounts[to]?.userId ?? 0;
  const iban = context.viewerId === sender || people.isOrganizer(context.viewerId) ? people.ibanOf(receiver) : null;
  return {
    from: people.resourceOf(sender),
    to: people.resourceOf(receiver),
    amount: toUnits(cents),
    payment:
      iban === null
        ? null
        : {
            iban,
            spd: paymentCode({ iban, cents, currency, message: context.eventTitle }),
            epc:
              currency === 'EUR'
                ? epcCode({ name: people.resourceOf(receiver).name, iban, cents, message: context.eventTitle })
                : null,
          },
  };
}
