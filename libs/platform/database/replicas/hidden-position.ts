/**
 * The WAL position that a replica must have reached before any reader may use the replica. It is at least the position
 * of the last commit that made data private, removed data, deleted data, or hid data by a ban (OPS-82). Any process of
 * the service may have made this commit. NOTIFY informs all processes of such commits. A notification contains no
 * position, so each process then reads the current position of the primary. Each process also reads this position after
 * each new connection to the primary, because notifications may have been lost.
 */
export class HiddenPosition {
  private position = 0;
  /**
   * From this time on (milliseconds of the monotonic clock), every replica that may answer reads has the position.
   */
  private untilMs = 0;
  private pendingQueries = 0;

  /**
   * @param keptMs milliseconds for which the position is required; longer than the lag of any replica that may answer
   * reads
   */
  constructor(private readonly keptMs: number) {}

  /**
   * The position that a replica must have reached. Infinity: the position is not known yet, so only the primary is
   * certain to have it.
   */
  get required(): number {
    if (this.pendingQueries > 0) return Infinity;
    return performance.now() < this.untilMs ? this.position : 0;
  }

  remember(position: number): void {
    const before = performance.now() < this.untilMs ? this.position : 0;
    this.position = Math.max(before, position);
    this.untilMs = performance.now() + this.keptMs;
  }

  /**
   * Reads the position and remembers it. All reads use the primary until `readPosition` resolves. If `readPosition`
   * fails, all reads use the primary for at least another `keptMs` milliseconds.
   */
  async learn(readPosition: () => Promise<number>): Promise<void> {
    this.pendingQueries++;
    this.remember(await readPosition().catch(() => Infinity));
    this.pendingQueries--;
  }
}
