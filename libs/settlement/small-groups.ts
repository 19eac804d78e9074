import type { Group, Multiset } from './multiset';
import { visitZeroSums, SumIndex } from './sum-index';

/**
 * Lists all ways to choose `size` people, with the sum of their balances. Does not distinguish people with equal
 * balances.
 */
class Combinations {
  readonly sums: Float64Array;
  private readonly members: Int32Array;
  private sumIndex: SumIndex | null = null;

  constructor(
    private readonly set: Multiset,
    readonly size: number,
  ) {
    const maxCount = combinationsOf(set.values.length, size);
    const sums = new Float64Array(maxCount);
    this.members = new Int32Array(maxCount * size);
    this.sums = sums.subarray(0, this.fill(sums, new Int32Array(size), 0, 0, 0, 0));
  }

  get index(): SumIndex {
    return (this.sumIndex ??= new SumIndex(this.sums));
  }

  at(combination: number): Int32Array {
    return this.members.subarray(combination * this.size, (combination + 1) * this.size);
  }

  /** Adds all combinations that begin with the chosen people. Returns the number of combinations so far. */
  private fill(
    sums: Float64Array,
    chosen: Int32Array,
    depth: number,
    fromPosition: number,
    sum: number,
    countBefore: number,
  ): number {
    if (depth === this.size) {
      for (let index = 0; index < depth; index++) this.members[countBefore * depth + index] = chosen[index] as number;
      sums[countBefore] = sum;
      return countBefore + 1;
    }
    let countNow = countBefore;
    for (let position = fromPosition; position < this.set.values.length; position++) {
      let takenCount = 1;
      for (let before = depth - 1; before >= 0 && chosen[before] === position; before--) takenCount++;
      if (takenCount > (this.set.counts[position] as number)) continue;
      chosen[depth] = position;
      countNow = this.fill(sums, chosen, depth + 1, position, sum + (this.set.values[position] as number), countNow);
    }
    return countNow;
  }
}

/** An upper bound of the number of combinations. */
function combinationsOf(values: number, size: number): number {
  let product = 1;
  for (let index = 0; index < size; index++) product = (product * (values + index)) / (index + 1);
  return product;
}

const MAX_COMBINATIONS = 2 ** 18;
/**
 * Maximum number of pairs of halves in one search. A time limit would give different results on different machines.
 */
const MAX_PAIRS = 2_000_000;

/** Groups of three to six people whose balances sum to zero, combined from two halves of up to three people. */
export class SmallGroups {
  private readonly halves = new Map<number, Combinations>();

  constructor(private readonly set: Multiset) {}

  /**
   * Finds groups of this size. Two groups may contain the same person. `complete` is false if the search stops early:
   * after `maxGroups` groups, or because there are too many combinations or too many pairs of halves.
   */
  find(size: number, maxGroups: number): { groups: Group[]; complete: boolean } {
    const groups = new Map<string, Group>();
    if (combinationsOf(this.set.values.length, Math.ceil(size / 2)) > MAX_COMBINATIONS)
      return { groups: [], complete: false };
    const larger = this.half(Math.ceil(size / 2));
    const smaller = this.half(Math.floor(size / 2));
    let pairs = 0;
    visitZeroSums(larger.sums, smaller.index, (one, other) => {
      const group = [...larger.at(one), ...smaller.at(other)].sort((a, b) => a - b);
      if (fits(group, this.set.counts)) groups.set(group.join(), group);
      return ++pairs >= MAX_PAIRS || groups.size >= maxGroups;
    });
    return { groups: [...groups.values()], complete: pairs < MAX_PAIRS && groups.size < maxGroups };
  }

  private half(size: number): Combinations {
    const half = this.halves.get(size) ?? new Combinations(this.set, size);
    this.halves.set(size, half);
    return half;
  }
}

/** Whether each position occurs in the group at most as often as `counts` allows. The group must be sorted. */
export function fits(group: Group, counts: readonly number[]): boolean {
  let needed = 0;
  return group.every((position, index) => {
    needed = group[index - 1] === position ? needed + 1 : 1;
    return needed <= (counts[position] ?? 0);
  });
}
