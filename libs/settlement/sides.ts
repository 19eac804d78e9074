import type { Group, Multiset } from './multiset';
import { ReachableSums } from './reachable-sums';

/**
 * The creditors or the debtors of a multiset: their positions in its `values`, their amounts as positive numbers, and
 * the number of people with each amount.
 */
export interface Side {
  readonly positions: readonly number[];
  readonly amounts: readonly number[];
  readonly counts: readonly number[];
  /** One position for each person. If three people have the same amount, its position occurs three times. */
  readonly people: readonly number[];
}

/**
 * The side with fewer people (`few`), and the other side (`many`). If both sides have the same number of people, `few`
 * contains the creditors.
 */
export function sidesOf(set: Multiset): { few: Side; many: Side } {
  const creditors = side(set, 1);
  const debtors = side(set, -1);
  return creditors.people.length <= debtors.people.length
    ? { few: creditors, many: debtors }
    : { few: debtors, many: creditors };
}

function side({ values, counts }: Multiset, sign: 1 | -1): Side {
  const positions = values.flatMap((value, position) => (value * sign > 0 ? [position] : []));
  return {
    positions,
    amounts: positions.map((position) => (values[position] ?? 0) * sign),
    counts: positions.map((position) => counts[position] ?? 0),
    people: positions.flatMap((position) => new Array<number>(counts[position] ?? 0).fill(position)),
  };
}

/**
 * Finds a group with as few people of the smaller side as possible, at most `limits.people`. The group is completed
 * with people of the other side whose amounts have the same sum. At most `limits.sums` sums of the other side are
 * computed. Returns null if no such group is found, or if the only such group consists of all people.
 */
export function groupOfFew(set: Multiset, limits: { people: number; sums: number }): Group | null {
  const { few, many } = sidesOf(set);
  const reachable = ReachableSums.compute(many.amounts, many.counts, limits.sums);
  const amountOf = (position: number): number => Math.abs(set.values[position] ?? 0);
  // Adds `missing` further people of the smaller side to `chosen`, whose amounts add up to `sum`.
  const search = (chosen: readonly number[], from: number, sum: number, missing: number): Group | null => {
    if (missing === 0) {
      if (!reachable.has(sum)) return null;
      const counts = reachable.countsFor(sum);
      return [
        ...chosen,
        ...many.positions.flatMap((position, index) => new Array<number>(counts[index] ?? 0).fill(position)),
      ];
    }
    for (let index = from; index + missing <= few.people.length; index++) {
      const position = few.people[index] ?? 0;
      const found = search([...chosen, position], index + 1, sum + amountOf(position), missing - 1);
      if (found) return found;
    }
    return null;
  };
  for (let people = 1; people <= Math.min(limits.people, few.people.length - 1); people++) {
    const found = search([], 0, 0, people);
    if (found) return found;
  }
  return null;
}
