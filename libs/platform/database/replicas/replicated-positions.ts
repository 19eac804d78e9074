/** Where the primary was in its log of changes, and when: milliseconds of a clock that is never set. */
interface Sample {
  readonly atMs: number;
  readonly position: number;
}

/**
 * How far behind a replica is, in time: how long ago the primary was where the replica is now. Clocks of machines are not compared, and
 * a replica that is told nothing falls behind as soon as there is something to tell.
 */
export class PrimaryPositions {
  private samples: Sample[] = [];

  /** @param keptMs how long ago is worth knowing */
  constructor(private readonly keptMs: number) {}

  add({ atMs, position }: Sample): void {
    // Another server has become the primary, without all that the one before had.
    if (position < (this.samples.at(-1)?.position ?? 0)) this.samples = [];
    this.samples.push({ atMs, position });
    const old = this.samples.findIndex((sample) => atMs - sample.atMs <= this.keptMs);
    if (old > 0) this.samples.splice(0, old);
  }

  /** Infinity before the first look. */
  get latest(): number {
    return this.samples.at(-1)?.position ?? Infinity;
  }

  /** Milliseconds; null: longer than is known. */
  lagOf(position: number, nowMs: number): number | null {
    const reached = this.samples.findLast((sample) => sample.position <= position);
    return reached === undefined ? null : Math.max(0, nowMs - reached.atMs);
  }
}
