import { mostGroups } from './most-groups.exact';
import { mostGroupsByChain, smallestGroup, type ChainLimits } from './most-groups.chain';
import {
  countsOf,
  toOriginalPositions,
  partOf,
  partCount,
  type Group,
  type Grouping,
  type Multiset,
  type Part,
} from './multiset';
import { fits, SmallGroups } from './small-groups';
import { groupOfFew } from './sides';
import { maxPossibleGroups } from './upper-bound';

/**
 * Limits of one step of the search. They limit the amount of work and not the time, so that equal balances always give
 * the same result.
 */
const STEP_EXACT_PARTS = 2 ** 14;
const STEP_CHAIN_LIMITS: ChainLimits = { halfParts: 2 ** 15, zeroParts: 2000 };
const MAX_CANDIDATES = 3000;
/**
 * Limits of `groupOfFew`. The smaller side is the creditors or the debtors, whichever are fewer. `people`: the maximum
 * number of people that a group may contain from this side. `sums`: the maximum number of sums that are computed for
 * the other side.
 */
const FEW_LIMITS = { people: 3, sums: 2 ** 15 };
/** Number of people among whom `oneLargerGroup` looks for a group. */
const WINDOW_PEOPLE = 28;
/** Maximum number of rounds of regrouping, and maximum number of people that one round regroups. */
const REGROUPING = { rounds: 30, people: 24 };
/**
 * A search among `WINDOW_PEOPLE` people usually finds groups of this size. Therefore `smallGroups` chooses only smaller
 * groups. `worth` is this size minus the size of the group.
 */
const ORDINARY_SIZE = 7;

/**
 * Divides people into groups whose balances add up to zero, if finding the largest number of groups would take too
 * long. The function first chooses small groups and other groups that are quick to find, then splits the other people
 * into as many groups as possible, and then regroups. `optimal` is true if a bound proves that more groups are
 * impossible.
 */
export function manyGroups(set: Multiset): Grouping {
  const upperBound = maxPossibleGroups(set);
  if (upperBound === 1) return { groups: [everybody(set)], optimal: true };
  const groups: Group[] = [];
  const remaining = [...set.counts];
  const take = (find: (rest: Part) => readonly Group[]): boolean => {
    const rest = partOf(set, remaining);
    const found = rest.values.length === 0 ? [] : find(rest).map((group) => toOriginalPositions(rest, group));
    for (const group of found) for (const position of group) remaining[position] = (remaining[position] ?? 0) - 1;
    groups.push(...found);
    return found.length > 0;
  };

  while (take(smallGroups)) continue;
  while (take(oneGroupOfFew)) continue;
  while (take(oneLargerGroup)) continue;
  take((rest) => bestGroups(rest) ?? [everybody(rest)]);
  const regrouped = regroup(set, groups, upperBound);
  return { groups: regrouped, optimal: regrouped.length >= upperBound };
}

/**
 * Finds disjoint groups of three to six people. Each step chooses the group with the highest score: its `worth` divided
 * by the demand for its people. The demand for a person is high if many valuable candidate groups contain this person.
 */
function smallGroups(set: Multiset): Group[] {
  const small = new SmallGroups(set);
  let candidates: Group[] = [];
  for (const size of [3, 4, 5, 6]) {
    // Six is nearly `ORDINARY_SIZE`, so groups of six are used only if no smaller group was found.
    if (candidates.length >= MAX_CANDIDATES || (size === 6 && candidates.length > 0)) break;
    candidates.push(...small.find(size, MAX_CANDIDATES - candidates.length).groups);
  }
  const remaining = [...set.counts];
  const taken: Group[] = [];
  for (; candidates.length > 0; candidates = candidates.filter((group) => fits(group, remaining))) {
    const chosen = leastConflicting(candidates, remaining);
    for (const position of chosen) remaining[position] = (remaining[position] ?? 0) - 1;
    taken.push(chosen);
  }
  return taken;
}

function leastConflicting(candidates: readonly Group[], remaining: readonly number[]): Group {
  const demand = remaining.map(() => 0);
  for (const group of candidates)
    for (const position of group)
      demand[position] = (demand[position] ?? 0) + worth(group) / (remaining[position] ?? 1);
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
 * Finds one group of any size with at most `FEW_LIMITS.people` people from the smaller side. Searches only if `set` has
 * too many parts (`partCount`) for an exact search.
 */
function oneGroupOfFew(set: Multiset): Group[] {
  if (partCount(set) <= STEP_EXACT_PARTS) return [];
  const group = groupOfFew(set, FEW_LIMITS);
  return group ? [group] : [];
}

/** Finds one group among `WINDOW_PEOPLE` people. Searches only if `set` has too many parts for an exact search. */
function oneLargerGroup(set: Multiset): Group[] {
  if (partCount(set) <= STEP_EXACT_PARTS) return [];
  const group = smallestGroup(windowOf(set), STEP_CHAIN_LIMITS);
  return group ? [group] : [];
}

function bestGroups(set: Multiset): Group[] | null {
  return partCount(set) <= STEP_EXACT_PARTS ? mostGroups(set) : mostGroupsByChain(set, STEP_CHAIN_LIMITS);
}

function everybody({ counts }: Multiset): Group {
  return counts.flatMap((count, position) => new Array<number>(count).fill(position));
}

/**
 * Selects at most `WINDOW_PEOPLE` people, alternately from the start of `values` (the largest creditors come first) and
 * from the end (the largest debtors come last). The result has the same positions as `set`; the counts of the result
 * are the numbers of selected people.
 */
function windowOf(set: Multiset): Multiset {
  const counts = set.counts.map(() => 0);
  let freePlaces = WINDOW_PEOPLE;
  for (let near = 0, far = counts.length - 1; near <= far && freePlaces > 0; near++, far--) {
    for (const position of near === far ? [near] : [near, far]) {
      counts[position] = Math.min(freePlaces, set.counts[position] ?? 0);
      freePlaces -= counts[position] ?? 0;
    }
  }
  return { values: set.values, counts };
}

/**
 * Runs several rounds. Each round merges some groups, usually a large group and groups drawn with a fixed seed, and
 * splits their people again. The result has at least as many groups as `found`. Because each round changes the groups,
 * a later round may find more groups.
 */
function regroup(set: Multiset, found: readonly Group[], upperBound: number): Group[] {
  let groups = [...found];
  const draw = fixedRandom();
  for (let round = 0; round < REGROUPING.rounds && groups.length > 1 && groups.length < upperBound; round++) {
    const keys = new Map(groups.map((group) => [group, draw()]));
    const largest = groups.reduce((a, b) => (b.length > a.length && b.length < REGROUPING.people - 2 ? b : a));
    keys.set(largest, -1);
    const shuffled = [...groups].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
    const chosen: Group[] = [];
    const others: Group[] = [];
    let people = 0;
    for (const group of shuffled) {
      const isChosen = people + group.length <= REGROUPING.people;
      (isChosen ? chosen : others).push(group);
      if (isChosen) people += group.length;
    }
    const mixed = partOf(set, countsOf(set, chosen));
    const regrouped = bestGroups(mixed)?.map((group) => toOriginalPositions(mixed, group));
    if (regrouped && regrouped.length >= chosen.length) groups = [...others, ...regrouped];
  }
  return groups;
}

/** Returns a generator of pseudo-random numbers from 0 to below 1, which always gives the same sequence (an LCG). */
function fixedRandom(): () => number {
  let state = 1;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}
