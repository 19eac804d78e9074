import type { Multiset } from './multiset';
import { ReachableSums } from './reachable-sums';
import { sidesOf, type Side } from './sides';
import { SmallGroups } from './small-groups';

/** If more people than this are on the smaller side, `bySums` returns no bound (Infinity). */
const MAX_SIDE = 16;
/** If the amounts on the larger side have more different sums than this, `bySums` returns no bound (Infinity). */
const MAX_SUMS = 2 ** 18;
/**
 * The search for groups of one size ends after this number of groups. If the search is incomplete for this or another
 * reason, `bySmallestGroups` does not use groups of this size or of a larger size.
 */
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
 * The second bound. If every group that contains a person has at least n people, this person counts as 1/n. The number
 * n is 3, 4 or 5; it is not 2, because groups of two were formed before. The people of a group together count as 1 or
 * more, so the sum over all people is at least the number of groups.
 */
function bySmallestGroups(set: Multiset): number {
  const small = new SmallGroups(set);
  const minSizes = set.values.map(() => 3);
  for (const size of [3, 4]) {
    const { groups, complete } = small.find(size, MAX_SMALL_GROUPS);
    if (!complete) break;
    const inSomeGroup = new Set(groups.flat());
    minSizes.forEach((minSize, position) => {
      if (minSize === size && !inSomeGroup.has(position)) minSizes[position] = size + 1;
    });
  }
  const sum = set.counts.reduce((total, count, position) => total + count / (minSizes[position] ?? 3), 0);
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
  const longestChains = new Uint8Array(sums.length);
  for (let subset = 1; subset < sums.length; subset++) {
    let longest = 0;
    amounts.forEach((cents, bit) => {
      if ((subset & (1 << bit)) === 0) return;
      const smaller = subset ^ (1 << bit);
      sums[subset] = (sums[smaller] as number) + cents;
      longest = Math.max(longest, longestChains[smaller] as number);
    });
    longestChains[subset] = longest + (reachable.has(sums[subset] as number) ? 1 : 0);
  }
  return longestChains.at(-1) ?? Infinity;
}
