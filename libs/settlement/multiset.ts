/**
 * Balances in cents that come to zero together: the different ones, largest first, and how many people have each. None is
 * zero, and no two are opposites, for who owes exactly what another is owed has been taken out before.
 */
export interface Multiset {
  readonly values: readonly number[];
  readonly counts: readonly number[];
}

/** Some of a multiset that come to zero: positions in `values`, one per person. */
export type Group = readonly number[];

/** As many groups as were found, every person in one of them. */
export interface Grouping {
  readonly groups: readonly Group[];
  /** Whether it is proven that there cannot be more. */
  readonly optimal: boolean;
}

/** How many different parts a multiset has; one person is taken as given, for every person is in some group. */
export function parts({ counts }: Multiset): number {
  return counts.reduce((product, count, position) => product * (position === 0 ? count : count + 1), 1);
}

/** A smaller multiset out of a larger one, and the way back: `origin[position in part]` is the position in the whole. */
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

/** A group of a part, in the positions of the whole. */
export function inWhole(part: Part, group: Group): Group {
  return group.map((position) => part.origin[position] ?? 0);
}

/** How many of each value the groups hold. */
export function countsOf({ values }: Multiset, groups: readonly Group[]): number[] {
  const counts = values.map(() => 0);
  for (const group of groups) for (const position of group) counts[position] = (counts[position] ?? 0) + 1;
  return counts;
}
