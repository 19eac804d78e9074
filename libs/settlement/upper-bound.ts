import type { Multiset } from './multiset';
import { ReachableSums } from './reachable-sums';
import { sidesOf, type Side } from './sides';
import { SmallGroups } from './small-groups';

/**
 * Limits of the work: the maximum number of people on the smaller side, of sums on the larger side, and of groups of
 * each size. Above one of the first two limits, `bySums` returns no bound. If the search for groups of a size is
 * incomplete, for example because of the third limit, `bySmallestGroups` does not use groups of this or a larger size.
 */
const MAX_SIDE = 16;
const MAX_SUMS = 2 ** 18;
const MAX_SMALL_GROUPS = 3000;

/**
 * An upper bound of the number of groups with sum zero into which the people can be divided. The first bound is the
 * number of people on the smaller side (creditors or debtors), because every group has a creditor and a debtor. The two
 * bounds below are tighter in some cases.
 */
export function maxPossibleGroups(set: Multiset): number {
  const sides = sidesOf(set);
  const byPeople = sides.few.people.length;
  return byPeople <= 1 ? byPeople : Math.min(byPeople, bySmallestGroups(set), bySums(set, sides));
}

/**
 * The second bound: each person counts as 1/n, if every group that contains the person has at least n people (n is 3, 4
 * or 5, because groups of two were formed before). So the people of a group together count as 1 or more, and the sum
 * over all people is at least the number of groups.
 */
function bySmallestGroups(set: Multiset): number {
  const small = new SmallGroups(set);
  const smallest = set.values.map(() => 3);
  for (const size of [3, 4]) {
    const { groups, complete } = small.find(size, MAX_SMALL_GROUPS);
    if (!complete) break;
    const inSomeGroup = new Set(groups.flat());
    smallest.forEach((least, position) => {
      if (least === size && !inSomeGroup.has(position)) smallest[position] = size + 1;
    });
  }
  const sum = set.counts.reduce((total, count, position) => total + count / (smallest[position] ?? 3), 0);
  return Math.floor(sum + 1e-9);
}

/**
 * The third bound, for few people on one side (for example, a few people paid for everyone). A subset of these people
 * is balanced if its total equals the total of some people on the other side. The people of the first group, of the
 * first two groups, and so on form a chain of growing balanced subsets. So the number of groups is at most the length
 * of the longest such chain.
 */
function bySums({ values }: Multiset, { few, many }: { few: Side; many: Side }): number {
  if (few.people.length > MAX_SIDE) return Infinity;
  const reachable = ReachableSums.compute(many.amounts, many.counts, MAX_SUMS);
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
