/** The primary's WAL position at a time: milliseconds of a monotonic clock. */
interface Sample {
  readonly atMs: number;
  readonly position: number;
}

/**
 * A replica's lag in time: how long ago the primary had the position that the replica has now. Clocks of machines are
 * not compared, and a replica that receives nothing falls behind once there is something to receive.
 */
export class PrimaryPositions {
  private samples: Sample[] = [];

  /** @param keptMs how long positions are stored */
  constructor(private readonly keptMs: number) {}

  add({ atMs, position }: Sample): void {
    // Another server has become the primary, without all commits of the previous one.
    if (position < (this.samples.at(-1)?.position ?? 0)) this.samples = [];
    this.samples.push({ atMs, position });
    const old = this.samples.findIndex((sample) => atMs - sample.atMs <= this.keptMs);
    if (old > 0) this.samples.splice(0, old);
  }

  /** Infinity before the first check. */
  get latest(): number {
    return this.samples.at(-1)?.position ?? Infinity;
  }

  /** Milliseconds; null: longer than the stored history. */
  lagOf(position: number, nowMs: number): number | null {
    const reached = this.samples.findLast((sample) => sample.position <= position);
    return reached === undefined ? null : Math.max(0, nowMs - reached.atMs);
  }
}
