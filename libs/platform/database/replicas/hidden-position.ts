/**
 * Up to where in the log of changes a replica must have come for anybody: the last commit that took something out of sight, on any server
 * (OPS-82). Servers learn of others' commits by NOTIFY, which says that there was one, not where.
 */
export class HiddenPosition {
  private position = 0;
  /** From when on every replica in service has it: milliseconds of a clock that is never set. */
  private untilMs = 0;
  private asking = 0;

  /** @param keptMs longer than a replica in service can be behind */
  constructor(private readonly keptMs: number) {}

  /** Infinity: the primary alone has it for sure. */
  get required(): number {
    if (this.asking > 0) return Infinity;
    return performance.now() < this.untilMs ? this.position : 0;
  }

  remember(position: number): void {
    const before = performance.now() < this.untilMs ? this.position : 0;
    this.position = Math.max(before, position);
    this.untilMs = performance.now() + this.keptMs;
  }

  /** Until `position` is known, everybody reads from the primary. */
  async learn(position: () => Promise<number>): Promise<void> {
    this.asking++;
    this.remember(await position().catch(() => Infinity));
    this.asking--;
  }
}
