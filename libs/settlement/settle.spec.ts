import {
  randomBalances,
  seededRandom,
  balancesOfHiddenGroups,
  maxGroupsBruteForce,
  balancesAfterParty,
} from '#testing/balances';
import { repetitions } from '#testing/repetitions';
import { settle, settleInOneGroup, workOf } from './settle';

const CASES = repetitions('settlement_cases');

function expectSettled(balances: readonly number[], settlement: ReturnType<typeof settle>): void {
  const left = [...balances];
  for (const { from, to, cents } of settlement.payments) {
    if (!(Number.isSafeInteger(cents) && cents > 0 && from !== to))
      throw new Error(`invalid payment: ${JSON.stringify({ from, to, cents })} of ${balances.join()}`);
    if (!((balances[from] ?? 0) < 0 && (balances[to] ?? 0) > 0))
      throw new Error(`the payer is not a debtor, or the payee is not a creditor: ${balances.join()}`);
    left[from] = (left[from] ?? NaN) + cents;
    left[to] = (left[to] ?? NaN) - cents;
  }
  if (left.some((balance) => balance !== 0)) throw new Error(`${balances.join()} leaves ${left.join()}`);
}

function countNonZero(balances: readonly number[]): number {
  return balances.filter((balance) => balance !== 0).length;
}

describe('the fewest payments', () => {
  it.each([
    ['no people', [], 0],
    ['people without debts', [0, 0, 0], 0],
    ['one debt', [-500, 500], 1],
    ['one person who paid for three', [200, -100, -100], 2],
    ['two pairs', [100, -100, 50, -50], 2],
    ['two pairs that greedy payments would mix', [300, 200, -200, -300], 2],
    ['a triple and a pair', [5, -2, -3, 7, -7], 3],
    ['six people who form two triples, but also a pair and a group of four', [8, -3, -5, 9, -1, -8], 4],
    ['six people who form a pair and a group of four, but also two triples', [6, -6, 2, 4, -1, -5], 4],
    ['two triples that greedy payments would split', [10, -7, -3, 11, -6, -5], 4],
    ['three equal groups', [2, -1, -1, 2, -1, -1, 2, -1, -1], 6],
    ['people who form only one group', [1, 2, 4, 8, -15], 4],
    ['amounts in cents that need more than 32 bits', [4_999_994_950, -4_999_994_951, 1], 2],
  ] as const)('are found for %s', (_what, balances, payments) => {
    const settlement = settle(balances);
    expectSettled(balances, settlement);
    expect(settlement.payments).toHaveLength(payments);
    expect(settlement.optimal).toBe(true);
  });

  it(`are as few as brute force finds in ${CASES} cases of up to nine people`, () => {
    const draw = seededRandom(7);
    let withSeveralGroups = 0;
    for (let number = 0; number < CASES; number++) {
      const balances =
        number % 3 === 0
          ? balancesOfHiddenGroups(draw, 9)
          : randomBalances(draw, 2 + (number % 8), [4, 12, 60, 1000, 999_999_00][number % 5] ?? 4);
      const settlement = settle(balances);
      expectSettled(balances, settlement);
      const groups = maxGroupsBruteForce(balances);
      if (groups > 1) withSeveralGroups++;
      const fewest = countNonZero(balances) - groups;
      if (settlement.payments.length !== fewest || !settlement.optimal) {
        throw new Error(`${balances.join()}: ${settlement.payments.length} payments instead of ${fewest}`);
      }
    }
    expect(withSeveralGroups).toBeGreaterThan(CASES / 3);
  }, 600_000);

  // EXP-10
  it('are proven to be minimal for up to twenty people with any balances', () => {
    const draw = seededRandom(3);
    for (const range of [3, 20, 60, 100, 200, 1000, 100_000, 999_999_00]) {
      for (const count of [16, 19, 20]) {
        const balances = randomBalances(draw, count, range);
        const settlement = settle(balances);
        expectSettled(balances, settlement);
        expect(settlement.optimal).toBe(true);
      }
    }
  });

  it.each([
    [5, 4, 100_000],
    [4, 5, 5_000_000],
    [10, 3, 100_000],
    [8, 4, 1_000_000],
    [20, 3, 10_000_000],
    [25, 4, 10_000_000],
  ])('are not more than if %i groups of %i people settled separately', (groups, size, range) => {
    const draw = seededRandom(groups);
    const balances = Array.from({ length: groups }, () => randomBalances(draw, size, range))
      .flat()
      .sort((a, b) => (a % 101) - (b % 101) || a - b);
    const settlement = settle(balances);
    expectSettled(balances, settlement);
    expect(settlement.payments.length).toBeLessThanOrEqual(countNonZero(balances) - groups);
  });

  it('are approximated if the minimum cannot be proven', () => {
    const draw = seededRandom(11);
    for (const range of [60, 2000, 100_000, 50_000_000]) {
      const balances = randomBalances(draw, 60, range);
      const settlement = settle(balances);
      expectSettled(balances, settlement);
      expect(settlement.payments.length).toBeLessThan(countNonZero(balances) - 1);
    }
    const hundred = balancesAfterParty(draw, 100, 50);
    expectSettled(hundred, settle(hundred));
  });

  it.each([1, 3, 5])('are proven to be minimal if a hundred people share %i expenses', (expenses) => {
    const balances = balancesAfterParty(seededRandom(expenses), 100, expenses);
    const settlement = settle(balances);
    expectSettled(balances, settlement);
    expect(settlement.optimal).toBe(true);
  });

  it('are the same every time, because people with equal balances are assigned to payments in the order of the input', () => {
    const draw = seededRandom(5);
    for (const count of [9, 20, 30, 60]) {
      const balances = randomBalances(draw, count, 300);
      expect(settle(balances)).toEqual(settle([...balances]));
    }
    expect(settle([-10, -10, 10, 10]).payments).toEqual([
      { from: 0, to: 2, cents: 10 },
      { from: 1, to: 3, cents: 10 },
    ]);
    expect(settle([30, -10, -10, -10]).payments.map(({ from }) => from)).toEqual([1, 2, 3]);
  });
});

describe('a settlement without a search', () => {
  it('settles all balances, but is marked as optimal only for up to three people', () => {
    const draw = seededRandom(2);
    for (const count of [2, 5, 40]) {
      const balances = randomBalances(draw, count, 1000);
      expectSettled(balances, settleInOneGroup(balances));
    }
    expect(settleInOneGroup([1, 2, 4, 8, -15]).optimal).toBe(false);
    expect(settleInOneGroup([5, -5]).optimal).toBe(true);
    expect(settleInOneGroup([300, 300, -200, -400]).payments).toEqual([
      { from: 3, to: 0, cents: 300 },
      { from: 2, to: 1, cents: 200 },
      { from: 3, to: 1, cents: 100 },
    ]);
  });

  // EXP-10
  it('is found for five thousand people, with the same number of payments as a settlement by `settle`', () => {
    const shares = Array.from({ length: 4999 }, (_, person) => (person < 3 ? -8 : -7));
    const balances = [-shares.reduce((sum, share) => sum + share, 0), ...shares];
    expect(workOf(balances)).toBeGreaterThan(1);
    for (const { payments } of [settleInOneGroup(balances), settle(balances)]) expect(payments).toHaveLength(4999);
  });
});
