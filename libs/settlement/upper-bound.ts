import type { Multiset } from './multiset';
import { ReachableSums } from './reachable-sums';
import { sidesOf, type Side } from './sides';
import { SmallGroups } from './small-groups';

/** Limits of a proof: people of the smaller side, sums of the larger, small groups. */
const SIDE = 16;
const SUMS = 2 ** 18;
const SMALL_GROUPS = 3000;

/**
 * An upper bound of the number of groups. Every group has a creditor and a debtor; the other two bounds are tighter in
 * their cases.
 */
export function mostConceivable(set: Multiset): number {
  const sides = sidesOf(set);
  const byPeople = sides.few.people.length;
  return byPeople <= 1 ? byPeople : Math.min(byPeople, bySmallestGroups(set), bySums(set, sides));
}

/**
 * Each person counts as one over the size of the smallest group that contains the person; the sum bounds the number of
 * groups.
 */
function bySmallestGroups(set: Multiset): number {
  const small = new SmallGroups(set);
  const smallest = set.values.map(() => 3);
  for (const size of [3, 4]) {
    const { groups, complete } = small.find(size, SMALL_GROUPS);
    if (!complete) break;
    const inOne = new Set(groups.flat());
    smallest.forEach(
      (least, position) => (smallest[position] = least === size && !inOne.has(position) ? size + 1 : least),
    );
  }
  const sum = set.counts.reduce((total, count, position) => total + count / (smallest[position] ?? 3), 0);
  return Math.floor(sum + 1e-9);
}

/**
 * For few people on one side (some paid for everyone): the subsets of them whose credits equal debts of others.
 * Consecutive groups form a chain of such subsets, so there are at most as many groups as the longest chain has steps.
 */
function bySums({ values }: Multiset, { few, many }: { few: Side; many: Side }): number {
  if (few.people.length > SIDE) return Infinity;
  const reachable = ReachableSums.compute(many.amounts, many.counts, SUMS);
  if (!reachable.complete) return Infinity;
  const amounts = few.people.map((position) => Math.abs(values[position] ?? 0));
  const sums = new Float64Array(2 ** amounts.length);
  const chain = new Uint8Array(sums.length);
  for (let part = 1; part < sums.length; part++) {
    let longest = 0;
    amounts.forEach((cents, bit) => {
      if ((part & (1 << bit)) === 0) return;
      const smaller = part ^ (1 << bit);
      sums[part] = (sums[smaller] as number) + cents;
      longest = Math.max(longest, chain[smaller] as number);
    });
    chain[part] = longest + (reachable.has(sums[part] as number) ? 1 : 0);
  }
  return chain.at(-1) ?? Infinity;
}
