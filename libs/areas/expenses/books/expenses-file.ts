import { csvFile, type Cell } from '#platform/text/csv';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { BookPeople } from './book-people';
import type { BookedExpense, BookedPayment } from './books';
import { toUnits } from './money';

const HEADER = [
  'type',
  'id',
  'created_at',
  'title',
  'amount',
  'currency',
  'paid_by',
  'paid_by_name',
  'paid_to',
  'paid_to_name',
  'shares',
] as const;

interface Entries {
  readonly expenses: readonly BookedExpense[];
  readonly payments: readonly BookedPayment[];
  readonly people: BookPeople;
}

/** An event's expenses and payments as CSV: a header row, then one list in the order of creation (PAY-11). */
export function expensesFile({ expenses, payments, people }: Entries, wire: WireFormat): string {
  const entries = [
    ...expenses.map((expense) => ({ at: expense.createdAt, cells: expenseRow(expense, people, wire) })),
    ...payments.map((payment) => ({ at: payment.createdAt, cells: paymentRow(payment, people, wire) })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  return csvFile([HEADER, ...entries.map(({ cells }) => cells)]);
}

function expenseRow(
  { id, title, cents, currency, paidBy, shares, createdAt }: BookedExpense,
  people: BookPeople,
  wire: WireFormat,
): Cell[] {
  const payer = people.resourceOf(paidBy);
  const parts = shares.map((share) => `${people.resourceOf(share.userId).slug} ${toUnits(share.cents)}`).join('; ');
  return [
    'expense',
    wire.id('expense', id),
    toWire(createdAt),
    title,
    toUnits(cents),
    currency,
    payer.slug,
    payer.name,
    '',
    '',
    parts,
  ];
}

function paymentRow(
  { id, cents, currency, senderId, receiverId, createdAt }: BookedPayment,
  people: BookPeople,
  wire: WireFormat,
): Cell[] {
  const [sender, receiver] = [people.resourceOf(senderId), people.resourceOf(receiverId)];
  return [
    'payment',
    wire.id('payment', id),
    toWire(createdAt),
    '',
    toUnits(cents),
    currency,
    sender.slug,
    sender.name,
    receiver.slug,
    receiver.name,
    '',
  ];
}
