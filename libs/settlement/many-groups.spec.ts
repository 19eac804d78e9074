import { randomBalances, seededRandom, balancesOfHiddenGroups, maxGroupsBruteForce } from '#testing/balances';
import { manyGroups } from './many-groups';
import { mostGroupsByChain } from './most-groups.chain';
import { mostGroups } from './most-groups.exact';
import { countsOf, type Group, type Multiset } from './multiset';
import { maxPossibleGroups } from './upper-bound';

const CHAIN_LIMITS = { halfParts: 2 ** 12, zeroParts: 5000 };

function multiset(balances: readonly number[]): Multiset {
  const values = [...new Set(balances.filter((balance) => balance !== 0))].sort((a, b) => b - a);
  return { values, counts: values.map((value) => balances.filter((balance) => balance === value).length) };
}

function expectGrouping(set: Multiset, groups: readonly Group[]): void {
  for (const group of groups) expect(group.reduce((sum, position) => sum + (set.values[position] ?? NaN), 0)).toBe(0);
  expect(countsOf(set, groups)).toEqual(set.counts);
}

describe('the searches for the largest number of groups whose balances add up to zero', () => {
  const draw = seededRandom(19);
  const cases = Array.from({ length: 400 }, (_, number) =>
    number % 2 === 0
      ? balancesOfHiddenGroups(draw, 11)
      : randomBalances(draw, 3 + (number % 9), [3, 15, 80, 1000][number % 4] ?? 3),
  );

  it('agree with each other and with brute force', () => {
    for (const balances of cases) {
      const set = multiset(balances);
      const expected = maxGroupsBruteForce(balances);
      const exact = mostGroups(set);
      const chain = mostGroupsByChain(set, CHAIN_LIMITS) ?? [];
      expectGrouping(set, exact);
      expectGrouping(set, chain);
      expect([exact.length, chain.length]).toEqual([expected, expected]);
    }
  });

  it('agree with each other if many balances are equal', () => {
    for (let number = 0; number < 60; number++) {
      const set = multiset(randomBalances(draw, 14 + (number % 5), 3 + (number % 4)));
      expect(mostGroupsByChain(set, CHAIN_LIMITS)?.length).toBe(mostGroups(set).length);
    }
  });

  it('include a fast search, which finds the maximum in more than 90 % of the cases without opposite balances', () => {
    let maximaFound = 0;
    const withoutPairs = cases.filter((balances) => !balances.some((balance) => balances.includes(-balance)));
    for (const balances of withoutPairs) {
      const set = multiset(balances);
      const expected = maxGroupsBruteForce(balances);
      const { groups, optimal } = manyGroups(set);
      expectGrouping(set, groups);
      expect(maxPossibleGroups(set)).toBeGreaterThanOrEqual(expected);
      expect(groups.length).toBeLessThanOrEqual(expected);
      if (optimal) expect(groups).toHaveLength(expected);
      if (groups.length === expected) maximaFound++;
    }
    expect(maximaFound).toBeGreaterThan(withoutPairs.length * 0.9);
  });

  it('include a search along chains, which returns null if it would exceed its limits', () => {
    expect(mostGroupsByChain(multiset(randomBalances(draw, 24, 40)), { halfParts: 2 ** 14, zeroParts: 10 })).toBeNull();
    expect(
      mostGroupsByChain(multiset(randomBalances(draw, 40, 100_000)), { halfParts: 2 ** 10, zeroParts: 10 }),
    ).toBeNull();
  });
});
