/**
 * A WAL position of the primary, and a time when the primary had this position, in milliseconds of a monotonic clock.
 */
interface Sample {
  readonly atMs: number;
  readonly position: number;
}

/**
 * Computes the lag of a replica in time: how long ago the primary had the position that the replica has now. The clocks
 * of different machines are not compared. If a replica receives nothing, its lag increases only when the primary has
 * new WAL.
 */
export class PrimaryPositions {
  private samples: Sample[] = [];

  /** @param keptMs milliseconds for which positions are stored */
  constructor(private readonly keptMs: number) {}

  add({ atMs, position }: Sample): void {
    // A lower position means that another server has become the primary. The new primary may lack the last commits of
    // the former primary.
    if (position < (this.samples.at(-1)?.position ?? 0)) this.samples = [];
    this.samples.push({ atMs, position });
    const firstKept = this.samples.findIndex((sample) => atMs - sample.atMs <= this.keptMs);
    if (firstKept > 0) this.samples.splice(0, firstKept);
  }

  /** The latest position; Infinity before the first call of `add`. */
  get latest(): number {
    return this.samples.at(-1)?.position ?? Infinity;
  }

  /**
   * The lag, in milliseconds, of a replica at `position`. Null if nothing is stored yet, or if every stored position is
   * higher: then the lag is longer than the stored history.
   */
  lagOf(position: number, nowMs: number): number | null {
    const reached = this.samples.findLast((sample) => sample.position <= position);
    return reached === undefined ? null : Math.max(0, nowMs - reached.atMs);
  }
}
