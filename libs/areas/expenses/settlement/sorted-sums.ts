/**
 * Many sums in ascending order, each with a number that says what it is the sum of. Both are kept in one float, sum first,
 * because sorting plain floats is several times faster; exact as long as sums stay below 2^34 and numbers below 2^18.
 */
export class SortedSums {
  static readonly most = 2 ** 18;
  private readonly keys: Float64Array;

  constructor(sums: Float64Array) {
    this.keys = sums.map((sum, number) => sum * SortedSums.most + number).sort();
  }

  get length(): number {
    return this.keys.length;
  }

  sumAt(index: number): number {
    return Math.floor((this.keys[index] as number) / SortedSums.most);
  }

  numberAt(index: number): number {
    const key = this.keys[index] as number;
    return key - Math.floor(key / SortedSums.most) * SortedSums.most;
  }
}

/**
 * Visits every pair of one of `ones` and one of `others` that come to zero together: one's number and the others', which
 * are `from` up to and without `to`. Stops when the visitor says true.
 */
export function meetAtZero(ones: SortedSums, others: SortedSums, visit: (one: number, from: number, to: number) => boolean): void {
  let to = others.length;
  let from = to;
  let opposite = NaN;
  for (let index = 0; index < ones.length; index++) {
    const sum = ones.sumAt(index);
    if (-sum !== opposite) {
      opposite = -sum;
      to = from;
      while (to > 0 && others.sumAt(to - 1) > opposite) to--;
      from = to;
      while (from > 0 && others.sumAt(from - 1) === opposite) from--;
    }
    if (from < to && visit(ones.numberAt(index), from, to)) return;
  }
}
