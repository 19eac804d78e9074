/** A hash table that finds the indexes of a sum in a long list of sums. Every bucket has a chain of indexes. */
export class SumIndex {
  private readonly first: Int32Array;
  private readonly next: Int32Array;
  private readonly shift: number;

  constructor(private readonly sums: Float64Array) {
    const bits = Math.max(4, Math.ceil(Math.log2(sums.length + 1)));
    this.shift = 32 - bits;
    this.first = new Int32Array(2 ** bits).fill(NOT_FOUND);
    this.next = new Int32Array(sums.length);
    // The loop runs backwards, so that chains are in ascending order.
    for (let index = sums.length - 1; index >= 0; index--) {
      const bucket = this.bucket(sums[index] as number);
      this.next[index] = this.first[bucket] as number;
      this.first[bucket] = index;
    }
  }

  /**
   * Returns the first index of `sum`. If `after` (an index of `sum`) is given, returns the next index of `sum` after
   * it. Returns -1 if there is no such index.
   */
  find(sum: number, after = NOT_FOUND): number {
    let index = (after === NOT_FOUND ? this.first[this.bucket(sum)] : this.next[after]) as number;
    while (index !== NOT_FOUND && this.sums[index] !== sum) index = this.next[index] as number;
    return index;
  }

  /** Hashes the lowest 32 bits of the sum by a golden-ratio multiplication. */
  private bucket(sum: number): number {
    return Math.imul(sum, 0x9e3779b1) >>> this.shift;
  }
}

const NOT_FOUND = -1;

/**
 * Calls `visit` for each pair of an index in `ones` and an index in `others` whose sums add up to zero. Stops when
 * `visit` returns true.
 */
export function visitZeroSums(
  ones: Float64Array,
  others: SumIndex,
  visit: (one: number, other: number) => boolean,
): void {
  for (let one = 0; one < ones.length; one++) {
    const opposite = 0 - (ones[one] as number);
    for (let other = others.find(opposite); other !== NOT_FOUND; other = others.find(opposite, other)) {
      if (visit(one, other)) return;
    }
  }
}
