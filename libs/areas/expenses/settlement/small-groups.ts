import type { Group, Multiset } from './multiset';
import { meetAtZero, SortedSums } from './sorted-sums';

/** All ways to take so many people, no one more often than there are, with their sums. */
class Combinations {
  private readonly members: Int32Array;
  readonly sums: SortedSums;

  constructor({ values, counts }: Multiset, readonly size: number) {
    const members: number[] = [];
    const sums: number[] = [];
    const chosen = new Array<number>(size).fill(0);
    const choose = (depth: number, least: number, sum: number): void => {
      if (depth === size) {
        members.push(...chosen);
        sums.push(sum);
        return;
      }
      for (let position = least; position < values.length; position++) {
        let taken = 1;
        for (let back = depth - 1; back >= 0 && chosen[back] === position; back--) taken++;
        if (taken > (counts[position] ?? 0)) continue;
        chosen[depth] = position;
        choose(depth + 1, position, sum + (values[position] ?? 0));
      }
    };
    choose(0, 0, 0);
    this.members = Int32Array.from(members);
    this.sums = new SortedSums(Float64Array.from(sums));
  }

  at(number: number): Int32Array {
    return this.members.subarray(number * this.size, (number + 1) * this.size);
  }
}

/** How many combinations of that many people there are at most. */
function combinationsOf(values: number, size: number): number {
  let product = 1;
  for (let index = 0; index < size; index++) product = (product * (values + index)) / (index + 1);
  return product;
}

/** Pairs of halves looked at in one search; a bound for time that is the same on every machine. */
const MOST_PAIRS = 2_000_000;

/** Groups of three to six people, searched from two halves of up to three. */
export class SmallGroups {
  private readonly halves = new Map<number, Combinations>();

  constructor(private readonly set: Multiset) {}

  /** Groups of that many people, overlapping ones too; not `complete` when there are more than `most`, or too much to search. */
  find(size: number, most: number): { groups: Group[]; complete: boolean } {
    const groups = new Map<string, Group>();
    if (combinationsOf(this.set.values.length, Math.ceil(size / 2)) > SortedSums.most) return { groups: [], complete: false };
    const larger = this.half(Math.ceil(size / 2));
    const smaller = this.half(Math.floor(size / 2));
    let pairs = 0;
    meetAtZero(larger.sums, smaller.sums, (one, from, to) => {
      for (let index = from; index < to && pairs < MOST_PAIRS && groups.size < most; index++, pairs++) {
        const group = [...larger.at(one), ...smaller.at(smaller.sums.numberAt(index))].sort((a, b) => a - b);
        if (fits(group, this.set.counts)) groups.set(group.join(), group);
      }
      return pairs >= MOST_PAIRS || groups.size >= most;
    });
    return { groups: [...groups.values()], complete: pairs < MOST_PAIRS && groups.size < most };
  }

  private half(size: number): Combinations {
    const half = this.halves.get(size) ?? new Combinations(this.set, size);
    this.halves.set(size, half);
    return half;
  }
}

/** Whether there are as many people with each balance as the sorted group needs. */
export function fits(group: Group, counts: readonly number[]): boolean {
  let needed = 0;
  return group.every((position, index) => {
    needed = group[index - 1] === position ? needed + 1 : 1;
    return needed <= (counts[position] ?? 0);
  });
}
