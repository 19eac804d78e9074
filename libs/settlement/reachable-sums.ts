/**
 * All sums of selections from several amounts, and the amounts that make up each sum. `counts` contains the maximum
 * number of times that a selection may use each amount. Many people with nearly equal debts have few distinct sums, so
 * the sums can be computed for them.
 */
export class ReachableSums {
  private constructor(
    private readonly amounts: readonly number[],
    private readonly counts: readonly number[],
    /** Ascending lists of the reachable sums: with no amount, with the first amount, with the first two amounts, … */
    private readonly layers: readonly Float64Array[],
    /** Whether every amount is included as often as the `counts` of `compute` allowed. */
    readonly complete: boolean,
  ) {}

  /**
   * @param maxSums maximum number of sums. Each amount is included up to `counts` times, but fewer times if there would
   * otherwise be more sums than `maxSums`
   */
  static compute(amounts: readonly number[], counts: readonly number[], maxSums: number): ReachableSums {
    const layers = [Float64Array.of(0)];
    let complete = true;
    const taken = amounts.map((amount, position) => {
      const before = layers.at(-1) ?? Float64Array.of(0);
      let sums = before;
      let count = 0;
      for (; count < (counts[position] ?? 0); count++) {
        const more = withAndWithout(sums, amount);
        if (more.length > maxSums) break;
        sums = more;
      }
      complete &&= count === counts[position];
      layers.push(sums);
      return count;
    });
    return new ReachableSums(amounts, taken, layers, complete);
  }

  has(sum: number): boolean {
    return includes(this.layers.at(-1), sum);
  }

  /** Returns how often each amount is used in one selection with this sum, which must be reachable. */
  countsFor(sum: number): number[] {
    const taken = this.amounts.map(() => 0);
    let remainder = sum;
    for (let position = taken.length - 1; position >= 0; position--) {
      const amount = this.amounts[position] ?? 0;
      while ((taken[position] ?? 0) < (this.counts[position] ?? 0) && !includes(this.layers[position], remainder)) {
        taken[position] = (taken[position] ?? 0) + 1;
        remainder -= amount;
      }
    }
    return taken;
  }
}

/** Returns the given sums and the same sums plus the amount, ascending and without duplicates. */
function withAndWithout(sums: Float64Array, amount: number): Float64Array<ArrayBuffer> {
  const merged = new Float64Array(2 * sums.length);
  let length = 0;
  for (let given = 0, increased = 0; increased < sums.length;) {
    const givenSum = given < sums.length ? (sums[given] as number) : Infinity;
    const increasedSum = (sums[increased] as number) + amount;
    if (givenSum <= increasedSum) given++;
    if (increasedSum <= givenSum) increased++;
    merged[length++] = Math.min(givenSum, increasedSum);
  }
  return merged.subarray(0, length);
}

function includes(sums: Float64Array | undefined, sum: number): boolean {
  if (!sums) return false;
  let from = 0;
  let to = sums.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sums[middle] as number) < sum) from = middle + 1;
    else to = middle;
  }
  return sums[from] === sum;
}
