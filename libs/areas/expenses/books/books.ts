import { CURRENCIES, type Currency } from '#contract/vocabulary';

/** A user's share of an expense. */
export interface Share {
  readonly userId: number;
  readonly cents: number;
}

/** An expense as the books have it. */
export interface BookedExpense {
  readonly id: number;
  readonly title: string;
  readonly cents: number;
  readonly currency: Currency;
  readonly paidBy: number;
  /** In slug order; they add up to the amount. */
  readonly shares: readonly Share[];
  readonly createdAt: Date;
}

/** What somebody paid, and what their share of everything is. */
export interface Account {
  readonly userId: number;
  paid: number;
  share: number;
}

/** The accounts of one currency, of everybody who paid or shares. */
export interface CurrencyBooks {
  readonly currency: Currency;
  readonly total: number;
  readonly accounts: readonly Account[];
}

/** One summary per currency that occurs, never added together (EXP-7). Accounts stand in the order of `people`. */
export function booksOf(expenses: readonly BookedExpense[], people: readonly number[]): CurrencyBooks[] {
  return CURRENCIES.flatMap((currency) => {
    const own = expenses.filter((expense) => expense.currency === currency);
    if (own.length === 0) return [];
    const accounts = new Map<number, Account>();
    const account = (userId: number): Account => {
      const found = accounts.get(userId) ?? { userId, paid: 0, share: 0 };
      accounts.set(userId, found);
      return found;
    };
    for (const { paidBy, cents, shares } of own) {
      account(paidBy).paid += cents;
      for (const share of shares) account(share.userId).share += share.cents;
    }
    const total = own.reduce((sum, { cents }) => sum + cents, 0);
    return [{ currency, total, accounts: people.flatMap((userId) => accounts.get(userId) ?? []) }];
  });
}

/** What somebody is owed; negative when they owe. */
export function balanceOf({ paid, share }: Account): number {
  return paid - share;
}
