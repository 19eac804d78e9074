import type { Multiset } from './multiset';
import { SmallGroups } from './small-groups';

/** How much a proof may look at: people of the smaller side, sums of the larger, small groups. */
const SIDE = 16;
const SUMS = 2 ** 18;
const SMALL_GROUPS = 3000;

/** No grouping has more groups. Every group has a creditor and a debtor; the other two bounds see more, each in its kind of case. */
export function mostConceivable(set: Multiset): number {
  const creditors = side(set, 1);
  const debtors = side(set, -1);
  const byPeople = Math.min(creditors.length, debtors.length);
  if (byPeople <= 1) return byPeople;
  return Math.min(byPeople, bySmallestGroups(set), creditors.length <= debtors.length ? bySums(creditors, debtors) : bySums(debtors, creditors));
}

/** Everybody counts as one over the size of the smallest group they can be in; the groups cannot be more than that adds up to. */
function bySmallestGroups(set: Multiset): number {
  const small = new SmallGroups(set);
  const smallest = set.values.map(() => 3);
  for (const size of [3, 4]) {
    const { groups, complete } = small.find(size, SMALL_GROUPS);
    if (!complete) break;
    const inOne = new Set(groups.flat());
    smallest.forEach((least, position) => (smallest[position] = least === size && !inOne.has(position) ? size + 1 : least));
  }
  const sum = set.counts.reduce((total, count, position) => total + count / (smallest[position] ?? 3), 0);
  return Math.floor(sum + 1e-9);
}

/**
 * For few people on one side (some paid for everybody): which of them together are owed what others together owe? Groups
 * put one after another make a chain of such parts, so there are no more groups than the longest chain has.
 */
function bySums(few: readonly number[], many: readonly number[]): number {
  if (few.length > SIDE) return Infinity;
  const reachable = sumsOf(many);
  if (!reachable) return Infinity;
  const sums = new Float64Array(2 ** few.length);
  const chain = new Uint8Array(sums.length);
  for (let part = 1; part < sums.length; part++) {
    let longest = 0;
    few.forEach((cents, bit) => {
      if ((part & (1 << bit)) === 0) return;
      const smaller = part ^ (1 << bit);
      sums[part] = (sums[smaller] as number) + cents;
      longest = Math.max(longest, chain[smaller] as number);
    });
    chain[part] = longest + (has(reachable, sums[part] as number) ? 1 : 0);
  }
  return chain.at(-1) ?? few.length;
}

/** All sums that some of these amounts have, in ascending order; null when there are too many. */
function sumsOf(amounts: readonly number[]): Float64Array | null {
  let sums = Float64Array.of(0);
  for (const amount of amounts) {
    sums = withAndWithout(sums, amount);
    if (sums.length > SUMS) return null;
  }
  return sums;
}

/** The sums, and the sums with the amount added; each once. */
function withAndWithout(sums: Float64Array, amount: number): Float64Array<ArrayBuffer> {
  const merged = new Float64Array(2 * sums.length);
  let length = 0;
  for (let without = 0, withIt = 0; withIt < sums.length; ) {
    const small = without < sums.length ? (sums[without] as number) : Infinity;
    const large = (sums[withIt] as number) + amount;
    if (small <= large) without++;
    if (large <= small) withIt++;
    merged[length++] = Math.min(small, large);
  }
  return merged.subarray(0, length);
}

function has(sums: Float64Array, sum: number): boolean {
  let from = 0;
  let to = sums.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sums[middle] as number) < sum) from = middle + 1;
    else to = middle;
  }
  return sums[from] === sum;
}

/** Who is owed (1) or owes (-1), a positive amount per person. */
function side(set: Multiset, sign: 1 | -1): number[] {
  return set.values.flatMap((value, position) => (value * sign > 0 ? new Array<number>(set.counts[position] ?? 0).fill(value * sign) : []));
}
