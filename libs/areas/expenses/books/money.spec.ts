import { equalShares, toCents, toUnits } from './money';

describe('amounts of money', () => {
  it.each([
    [0.01, 1],
    [1.1, 110],
    [4.35, 435],
    [1.15, 115],
    [8.41, 841],
    [0.29, 29],
    [64.1, 6410],
    [1005.05, 100_505],
    [999_998.99, 99_999_899],
    [999_999, 99_999_900],
  ])('are converted in both directions: %d units are %i cents', (units, cents) => {
    expect(toCents(units)).toBe(cents);
    expect(toUnits(cents)).toBe(units);
  });

  it('are converted exactly from numbers with two decimals', () => {
    for (let cents = 1; cents < 99_999_900; cents += 7919)
      expect(toCents(Number((cents / 100).toFixed(2)))).toBe(cents);
  });

  it.each([
    [10_000, 3, [3334, 3333, 3333]],
    [1, 3, [1, 0, 0]],
    [5, 7, [1, 1, 1, 1, 1, 0, 0]],
    [100, 1, [100]],
    [99_999_900, 7, [14_285_700, 14_285_700, 14_285_700, 14_285_700, 14_285_700, 14_285_700, 14_285_700]],
  ])('are shared as equally as possible: %i cents among %i people', (cents, sharers, shares) =>
    expect(equalShares(cents, sharers)).toEqual(shares),
  );

  // EXP-8
  it('are shared so that the shares add up to the amount and differ by at most one cent', () => {
    for (let cents = 1; cents < 3000; cents += 13) {
      for (let sharers = 1; sharers < 40; sharers++) {
        const shares = equalShares(cents, sharers);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(cents);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }
    }
  });
});
