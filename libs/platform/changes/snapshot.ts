const NOTATION = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/;

/**
 * The set of visible transactions: PostgreSQL's pg_snapshot. All below `xmin` have ended; none from `xmax` on is
 * visible; between them all are visible except the listed running ones. The transactions that a later snapshot sees and
 * an earlier one does not were committed between the two, so with snapshots as cursors no change is missed or delivered
 * twice, however long transactions are open.
 */
export class Snapshot {
  private constructor(
    readonly xmin: bigint,
    readonly xmax: bigint,
    readonly running: readonly bigint[],
  ) {}

  /** `10:20:10,14`. Null for anything else. */
  static parse(text: string): Snapshot | null {
    const [, xmin = '', xmax = '', running = ''] = NOTATION.exec(text) ?? [];
    if (xmin === '') return null;
    const list = running === '' ? [] : running.split(',').map(BigInt);
    const isOrdered = list.every(
      (xid, i) => xid >= BigInt(xmin) && xid < BigInt(xmax) && (i === 0 || xid > (list[i - 1] ?? 0n)),
    );
    return isOrdered && BigInt(xmin) <= BigInt(xmax) ? new Snapshot(BigInt(xmin), BigInt(xmax), list) : null;
  }

  sees(xid: bigint): boolean {
    return xid < this.xmin || (xid < this.xmax && !this.running.includes(xid));
  }

  /**
   * The transactions visible in this snapshot, plus those below `end` that are visible in `later`: an intermediate
   * position.
   */
  towards(later: Snapshot, end: bigint): Snapshot {
    const xmax = end > this.xmax ? end : this.xmax;
    const running = [...later.running.filter((xid) => xid < end), ...this.running.filter((xid) => xid >= end)];
    return new Snapshot(running[0] ?? xmax, xmax, running);
  }

  /** In PostgreSQL's format. */
  toString(): string {
    return `${this.xmin}:${this.xmax}:${this.running.join(',')}`;
  }
}
