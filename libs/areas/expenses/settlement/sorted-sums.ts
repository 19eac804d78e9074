/**
 * Many sums in ascending order, each with a number that says what it is the sum of. Both are kept in one float, sum first,
 * because sorting plain floats is several times faster; exact as long as sums stay below 2^34 and numbers below 2^18.
 */
export class SortedSums {
  static readonly most = 2 ** 18;
  private readonly keys: Float64Array;

  constructor(sums: Float64Array) {
    const keys = new Float64Array(sums.length);
    for (let number = 0; number < keys.length; number++) keys[number] = (sums[number] as number) * SortedSums.most + number;
    this.keys = keys.sort();
  }

  /** Where sums that are not below this one begin. */
  from(sum: number): number {
    const key = sum * SortedSums.most;
    let from = 0;
    let to = this.keys.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.keys[middle] as number) < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  isAt(index: number, sum: number): boolean {
    return index < this.keys.length && Math.floor((this.keys[index] as number) / SortedSums.most) === sum;
  }

  numberAt(index: number): number {
    const key = this.keys[index] as number;
    return key - Math.floor(key / SortedSums.most) * SortedSums.most;
  }
}

/** Visits every pair of one of `ones` and one of `others` that come to zero together, by their numbers. Stops when the visitor says true. */
export function meetAtZero(ones: Float64Array, others: SortedSums, visit: (one: number, other: number) => boolean): void {
  for (let one = 0; one < ones.length; one++) {
    const opposite = 0 - (ones[one] as number);
    for (let index = others.from(opposite); others.isAt(index, opposite); index++) {
      if (visit(one, others.numberAt(index))) return;
    }
  }
}
