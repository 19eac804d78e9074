/**
 * Balances in cents: the distinct values, largest first, and the number of people with each value. The sum of all
 * balances is zero, unless the multiset is a part of another multiset. No value is zero. No two values are opposite,
 * because such pairs were removed before.
 */
export interface Multiset {
  readonly values: readonly number[];
  readonly counts: readonly number[];
}

/** A subset with sum zero: positions in `values`, one per person. */
export type Group = readonly number[];

/** The groups that were found. Every person is in exactly one group. */
export interface Grouping {
  readonly groups: readonly Group[];
  /** Whether it is proven that no grouping has more groups. */
  readonly optimal: boolean;
}

/**
 * Returns the number of different parts (sub-multisets) of the multiset that remains after the removal of one person
 * with the first value. The search always begins with this person. No solution is lost, because every person is in some
 * group.
 */
export function partCount({ counts }: Multiset): number {
  return counts.reduce((product, count, position) => product * (position === 0 ? count : count + 1), 1);
}

/** A part of a larger multiset: `origin[position in part]` is the position in the whole. */
export interface Part extends Multiset {
  readonly origin: readonly number[];
}

export function partOf({ values }: Multiset, counts: readonly number[]): Part {
  const origin = values.flatMap((_, position) => (counts[position] ? [position] : []));
  return {
    origin,
    values: origin.map((position) => values[position] ?? 0),
    counts: origin.map((position) => counts[position] ?? 0),
  };
}

/** Converts a group of a part to positions in the whole. */
export function toOriginalPositions(part: Part, group: Group): Group {
  return group.map((position) => part.origin[position] ?? 0);
}

/** Counts how often each value occurs in the groups. */
export function countsOf({ values }: Multiset, groups: readonly Group[]): number[] {
  const counts = values.map(() => 0);
  for (const group of groups) for (const position of group) counts[position] = (counts[position] ?? 0) + 1;
  return counts;
}
