import type { Currency } from '#contract/vocabulary';
import { balanceOf, booksOf, type BookedExpense } from './books';

const NO_PAYMENTS = { sent: 0, received: 0 };

let id = 0;
function expense(paidBy: number, currency: Currency, shares: Record<number, number>): BookedExpense {
  const list = Object.entries(shares).map(([userId, cents]) => ({ userId: Number(userId), cents }));
  return {
    id: ++id,
    title: 'x',
    cents: list.reduce((sum, { cents }) => sum + cents, 0),
    currency,
    paidBy,
    shares: list,
    createdAt: new Date(0),
  };
}

// EXP-7, EXP-9
describe('booksOf', () => {
  const [ann, ben, cyr] = [1, 2, 3];

  it('returns one summary per currency, with the accounts in the order of the given people', () => {
    const books = booksOf(
      [
        expense(ann, 'CZK', { [ann]: 300, [ben]: 600 }),
        expense(cyr, 'EUR', { [ann]: 50 }),
        expense(ben, 'CZK', { [ben]: 10 }),
      ],
      [],
      [cyr, ben, ann],
    );
    expect(books).toEqual([
      {
        currency: 'CZK',
        total: 910,
        accounts: [
          { userId: ben, paid: 10, share: 610, ...NO_PAYMENTS },
          { userId: ann, paid: 900, share: 300, ...NO_PAYMENTS },
        ],
        payments: [],
      },
      {
        currency: 'EUR',
        total: 50,
        accounts: [
          { userId: cyr, paid: 50, share: 0, ...NO_PAYMENTS },
          { userId: ann, paid: 0, share: 50, ...NO_PAYMENTS },
        ],
        payments: [],
      },
    ]);
    expect(books[0]?.accounts.map(balanceOf)).toEqual([-600, 600]);
  });

  it('adds up all expenses that one person paid', () => {
    const books = booksOf([expense(ann, 'CZK', { [ben]: 300 }), expense(ann, 'CZK', { [ben]: 40 })], [], [ann, ben]);
    expect(books[0]?.accounts).toEqual([
      { userId: ann, paid: 340, share: 0, ...NO_PAYMENTS },
      { userId: ben, paid: 0, share: 340, ...NO_PAYMENTS },
    ]);
  });

  it('returns an empty list if there are no expenses and no payments', () =>
    expect(booksOf([], [], [ann])).toEqual([]));
});
