import { CURRENCIES } from '#contract/vocabulary';
import { settle } from '#settlement/settle';
import { seededRandom, maxGroupsBruteForce } from '#testing/balances';
import { repetitions } from '#testing/repetitions';
import { balanceOf, booksOf, type BookedExpense, type BookedPayment } from './books';
import { equalShares } from './money';

const CASES = repetitions('settlement_cases');

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

// PAY-5, PAY-6
describe('booksOf with payments', () => {
  const payment = (
    senderId: number,
    receiverId: number,
    cents: number,
    currency: BookedPayment['currency'] = 'CZK',
  ): BookedPayment => ({ id: 1, senderId, receiverId, cents, currency, createdAt: new Date(0) });
  const chata: BookedExpense = {
    id: 1,
    title: 'Chata',
    cents: 900,
    currency: 'CZK',
    paidBy: 1,
    shares: [1, 2, 3].map((userId) => ({ userId, cents: 300 })),
    createdAt: new Date(0),
  };

  it('includes a payment in the balances of both people, but not in the sum of expenses', () => {
    const [books] = booksOf([chata], [payment(2, 1, 300), payment(3, 2, 50)], [1, 2, 3]);
    expect(books).toMatchObject({ total: 900, payments: [{ cents: 300 }, { cents: 50 }] });
    expect(books?.accounts).toEqual([
      { userId: 1, paid: 900, share: 300, sent: 0, received: 300 },
      { userId: 2, paid: 0, share: 300, sent: 300, received: 50 },
      { userId: 3, paid: 0, share: 300, sent: 50, received: 0 },
    ]);
    expect(books?.accounts.map(balanceOf)).toEqual([300, -50, -250]);
  });

  it('returns a summary for a currency that has only payments', () => {
    expect(
      booksOf([chata], [payment(2, 1, 100, 'EUR')], [1, 2, 3]).map(({ currency, total, accounts }) => [
        currency,
        total,
        accounts.map(balanceOf),
      ]),
    ).toEqual([
      ['CZK', 900, [600, -300, -300]],
      ['EUR', 0, [-100, 100]],
    ]);
  });

  it(`returns balances that \`settle\` brings to zero with the fewest payments, in ${CASES} random books`, () => {
    const draw = seededRandom(19);
    const below = (end: number): number => Math.floor(draw() * end);
    let withSeveralGroups = 0;
    for (let number = 0; number < CASES; number++) {
      const people = Array.from({ length: 2 + below(9) }, (_, index) => index + 1);
      const anyPerson = (): number => people[below(people.length)] as number;
      const cents = (): number => (number % 2 === 0 ? 1 + below(12) : 1 + below(99_999_900));
      const currencies = CURRENCIES.slice(0, 1 + below(CURRENCIES.length));
      const currency = (): BookedExpense['currency'] =>
        currencies[below(currencies.length)] as BookedExpense['currency'];
      const expenses: BookedExpense[] = Array.from({ length: below(8) }, (_, id) => {
        const drawn = people.filter(() => draw() < 0.5);
        const sharers = drawn.length > 0 ? drawn : people;
        const amount = cents();
        const parts = equalShares(amount, sharers.length);
        return {
          id,
          title: 'x',
          cents: amount,
          currency: currency(),
          paidBy: anyPerson(),
          shares: sharers.map((userId, index) => ({ userId, cents: parts[index] ?? 0 })),
          createdAt: new Date(0),
        };
      });
      const payments = Array.from({ length: below(8) }, () =>
        payment(anyPerson(), anyPerson(), cents(), currency()),
      ).filter(({ senderId, receiverId }) => senderId !== receiverId);
      // Some suggested payments are recorded, with the full amount or half of it.
      for (const { currency: bookCurrency, accounts } of booksOf(expenses, payments, people)) {
        for (const { from, to, cents: due } of settle(accounts.map(balanceOf)).payments) {
          if (draw() < 0.4)
            payments.push(
              payment(
                accounts[from]?.userId ?? 0,
                accounts[to]?.userId ?? 0,
                draw() < 0.7 ? due : Math.ceil(due / 2),
                bookCurrency,
              ),
            );
        }
      }
      for (const { total, currency: bookCurrency, accounts } of booksOf(expenses, payments, people)) {
        const balances = accounts.map(balanceOf);
        const remaining = [...balances];
        const settlement = settle(balances);
        for (const { from, to, cents: due } of settlement.payments) {
          remaining[from] = (remaining[from] ?? NaN) + due;
          remaining[to] = (remaining[to] ?? NaN) - due;
        }
        // n people whose balances add up to zero (a group) need n - 1 payments.
        const groups = maxGroupsBruteForce(balances);
        if (groups > 1) withSeveralGroups++;
        const wrong =
          sum(balances) !== 0 ||
          remaining.some((balance) => balance !== 0) ||
          !settlement.optimal ||
          settlement.payments.length !== balances.filter((balance) => balance !== 0).length - groups ||
          total !==
            sum(expenses.filter((expense) => expense.currency === bookCurrency).map((expense) => expense.cents));
        if (wrong) throw new Error(`${balances.join()}: ${JSON.stringify(settlement)}`);
      }
    }
    expect(withSeveralGroups).toBeGreaterThan(CASES / 20);
  }, 600_000);
});
