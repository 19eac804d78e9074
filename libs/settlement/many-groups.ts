import { mostGroups } from './most-groups.exact';
import { mostGroupsByChain, smallestGroup, type ChainLimits } from './most-groups.chain';
import { countsOf, inWhole, partOf, parts, type Group, type Grouping, type Multiset, type Part } from './multiset';
import { fits, SmallGroups } from './small-groups';
import { groupOfFew } from './sides';
import { mostConceivable } from './upper-bound';

/** Limits of the search: counted in work, not in time, so that equal balances always give the same result. */
const EXACT_PARTS = 2 ** 14;
const CHAIN: ChainLimits = { halfParts: 2 ** 15, zeroParts: 2000 };
const MAX_CANDIDATES = 3000;
/** Maximum number of people on one side (creditors or debtors), and of sums on the other side. */
const FEW = { most: 3, sums: 2 ** 15 };
/** Number of people among whom one search looks for a larger group. */
const WINDOW_PEOPLE = 28;
const MIXES = { times: 30, people: 24 };
/** Any search finds groups of this size among `WINDOW_PEOPLE` people. The value of a group is this size minus its own size. */
const ORDINARY_SIZE = 7;

/**
 * Finds a good grouping when the best grouping is too expensive to find. First it chooses small groups, then splits the
 * rest as well as possible, and then regroups. `optimal` is true if a bound proves that more groups are impossible.
 */
export function manyGroups(set: Multiset): Grouping {
  const most = mostConceivable(set);
  if (most === 1) return { groups: [everybody(set)], optimal: true };
  const groups: Group[] = [];
  const left = [...set.counts];
  const take = (find: (rest: Part) => readonly Group[]): boolean => {
    const rest = partOf(set, left);
    const found = rest.values.length === 0 ? [] : find(rest).map((group) => inWhole(rest, group));
    for (const group of found) for (const position of group) left[position] = (left[position] ?? 0) - 1;
    groups.push(...found);
    return found.length > 0;
  };

  while (take(smallOnes)) continue;
  while (take(oneOfFew)) continue;
  while (take(largerOne)) continue;
  take((rest) => best(rest) ?? [everybody(rest)]);
  const mixed = mix(set, groups, most);
  return { groups: mixed, optimal: mixed.length >= most };
}

/** Disjoint groups of three to six people. Each step chooses the group that overlaps the fewest other groups. */
function smallOnes(set: Multiset): Group[] {
  const small = new SmallGroups(set);
  let candidates: Group[] = [];
  for (const size of [3, 4, 5, 6]) {
    // Six is nearly the usual size, so groups of six are used only if no smaller group is left.
    if (candidates.length >= MAX_CANDIDATES || (size === 6 && candidates.length > 0)) break;
    candidates.push(...small.find(size, MAX_CANDIDATES - candidates.length).groups);
  }
  const left = [...set.counts];
  const taken: Group[] = [];
  for (; candidates.length > 0; candidates = candidates.filter((group) => fits(group, left))) {
    const chosen = leastConflicting(candidates, left);
    for (const position of chosen) left[position] = (left[position] ?? 0) - 1;
    taken.push(chosen);
  }
  return taken;
}

function leastConflicting(candidates: readonly Group[], left: readonly number[]): Group {
  const demand = left.map(() => 0);
  for (const group of candidates)
    for (const position of group) demand[position] = (demand[position] ?? 0) + worth(group) / (left[position] ?? 1);
  let chosen: Group = [];
  let highest = -1;
  for (const group of candidates) {
    const score = worth(group) / group.reduce((sum, position) => sum + (demand[position] ?? 0), 0);
    if (score <= highest) continue;
    highest = score;
    chosen = group;
  }
  return chosen;
}

function worth(group: Group): number {
  return ORDINARY_SIZE - group.length;
}

/**
 * Finds a larger group with few people on one side (creditors or debtors), when the rest has too many parts to search
 * them all.
 */
function oneOfFew(set: Multiset): Group[] {
  if (parts(set) <= EXACT_PARTS) return [];
  const group = groupOfFew(set, FEW);
  return group ? [group] : [];
}

/** Finds one larger group, when the rest has too many people for one search. */
function largerOne(set: Multiset): Group[] {
  if (parts(set) <= EXACT_PARTS) return [];
  const group = smallestGroup(windowOf(set), CHAIN);
  return group ? [group] : [];
}

function best(set: Multiset): Group[] | null {
  return parts(set) <= EXACT_PARTS ? mostGroups(set) : mostGroupsByChain(set, CHAIN);
}

function everybody({ counts }: Multiset): Group {
  return counts.flatMap((count, position) => new Array<number>(count).fill(position));
}

/**
 * Selects the largest creditors and debtors alternately. The result has all positions of the whole multiset; people who
 * are not selected have a count of zero.
 */
function windowOf(set: Multiset): Multiset {
  const counts = set.counts.map(() => 0);
  let places = WINDOW_PEOPLE;
  for (let near = 0, far = counts.length - 1; near <= far && places > 0; near++, far--) {
    for (const position of near === far ? [near] : [near, far]) {
      counts[position] = Math.min(places, set.counts[position] ?? 0);
      places -= counts[position] ?? 0;
    }
  }
  return { values: set.values, counts };
}

/**
 * Regroups the largest groups with some of the others, drawn from a fixed seed. The result has at least as many groups.
 * Because the groups are different, the next round may find more.
 */
function mix(set: Multiset, found: readonly Group[], most: number): Group[] {
  let groups = [...found];
  const draw = drawing();
  for (let time = 0; time < MIXES.times && groups.length > 1 && groups.length < most; time++) {
    const keys = new Map(groups.map((group) => [group, draw()]));
    const largest = groups.reduce((a, b) => (b.length > a.length && b.length < MIXES.people - 2 ? b : a));
    keys.set(largest, -1);
    const shuffled = [...groups].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
    const chosen: Group[] = [];
    const others: Group[] = [];
    let people = 0;
    for (const group of shuffled) {
      const hasPlace = people + group.length <= MIXES.people;
      (hasPlace ? chosen : others).push(group);
      if (hasPlace) people += group.length;
    }
    const mixed = partOf(set, countsOf(set, chosen));
    const regrouped = best(mixed)?.map((group) => inWhole(mixed, group));
    if (regrouped && regrouped.length >= chosen.length) groups = [...others, ...regrouped];
  }
  return groups;
}

/** The same pseudo-random numbers below 1 every time (a linear congruential generator). */
function drawing(): () => number {
  let state = 1;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}
