import { CURRENCIES, type Currency } from '#contract/vocabulary';

/** A user's share of an expense. */
export interface Share {
  readonly userId: number;
  readonly cents: number;
}

/** An expense with its shares. */
export interface BookedExpense {
  readonly id: number;
  readonly title: string;
  readonly cents: number;
  readonly currency: Currency;
  readonly paidBy: number;
  /** Ordered by the slugs of the users. The shares add up to the amount. */
  readonly shares: readonly Share[];
  readonly createdAt: Date;
}

/** A payment between two people. */
export interface BookedPayment {
  readonly id: number;
  readonly senderId: number;
  readonly receiverId: number;
  readonly cents: number;
  readonly currency: Currency;
  readonly createdAt: Date;
}

/**
 * A person's account in the books: sums in one currency, in cents. They are the expenses that the person paid, the
 * person's share of all expenses, and the payments that the person sent and received.
 */
export interface BookAccount {
  readonly userId: number;
  paid: number;
  share: number;
  sent: number;
  received: number;
}

/** An event's expenses and payments in one currency. */
export interface CurrencyBooks {
  readonly currency: Currency;
  /** The sum of expenses. Payments between people do not count. */
  readonly total: number;
  /** The accounts of all people who paid or share an expense, or sent or received a payment. */
  readonly accounts: readonly BookAccount[];
  readonly payments: readonly BookedPayment[];
}

/**
 * Returns the books of each currency in use. Amounts in different currencies are never added together (EXP-7, PAY-5).
 * Accounts are in the order of `people`, which must contain everybody who occurs in the entries.
 */
export function booksOf(
  expenses: readonly BookedExpense[],
  payments: readonly BookedPayment[],
  people: readonly number[],
): CurrencyBooks[] {
  return CURRENCIES.flatMap((currency) => {
    const currencyExpenses = expenses.filter((expense) => expense.currency === currency);
    const currencyPayments = payments.filter((payment) => payment.currency === currency);
    if (currencyExpenses.length + currencyPayments.length === 0) return [];
    const accounts = new Map<number, BookAccount>();
    const account = (userId: number): BookAccount => {
      const found = accounts.get(userId) ?? { userId, paid: 0, share: 0, sent: 0, received: 0 };
      accounts.set(userId, found);
      return found;
    };
    for (const { paidBy, cents, shares } of currencyExpenses) {
      account(paidBy).paid += cents;
      for (const share of shares) account(share.userId).share += share.cents;
    }
    for (const { senderId, receiverId, cents } of currencyPayments) {
      account(senderId).sent += cents;
      account(receiverId).received += cents;
    }
    const total = currencyExpenses.reduce((sum, { cents }) => sum + cents, 0);
    return [
      { currency, total, accounts: people.flatMap((userId) => accounts.get(userId) ?? []), payments: currencyPayments },
    ];
  });
}

/** The person's balance in cents. Positive: the person is owed money; negative: the person owes money. */
export function balanceOf({ paid, share, sent, received }: BookAccount): number {
  return paid - share + sent - received;
}
