/**
 * The WAL position that a replica must have reached for any reader: the last commit that removed something from view,
 * on any server (OPS-82). Servers are notified of other servers' commits by NOTIFY, which contains no position.
 */
export class HiddenPosition {
  private position = 0;
  /** Milliseconds of a monotonic clock: from this time on every replica in service has the position. */
  private untilMs = 0;
  private asking = 0;

  /** @param keptMs longer than a replica in service can lag */
  constructor(private readonly keptMs: number) {}

  /** Infinity: only the primary certainly has it. */
  get required(): number {
    if (this.asking > 0) return Infinity;
    return performance.now() < this.untilMs ? this.position : 0;
  }

  remember(position: number): void {
    const before = performance.now() < this.untilMs ? this.position : 0;
    this.position = Math.max(before, position);
    this.untilMs = performance.now() + this.keptMs;
  }

  /** Until `position` resolves, all reads go to the primary. */
  async learn(position: () => Promise<number>): Promise<void> {
    this.asking++;
    this.remember(await position().catch(() => Infinity));
    this.asking--;
  }
}
