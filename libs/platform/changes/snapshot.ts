const NOTATION = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/;

/**
 * Which transactions are seen: PostgreSQL's pg_snapshot. All below `xmin` have ended; none from `xmax` on is seen; between them all
 * but those that were running. What one snapshot does not see and a later one does is what was committed between them, so with
 * snapshots for cursors nothing is missed and nothing told twice, however long transactions are open.
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

  /** All that this one sees, and of what a later one sees the transactions below `end`: a stop on the way between the two. */
  towards(later: Snapshot, end: bigint): Snapshot {
    const xmax = end > this.xmax ? end : this.xmax;
    const running = [...later.running.filter((xid) => xid < end), ...this.running.filter((xid) => xid >= end)];
    return new Snapshot(running[0] ?? xmax, xmax, running);
  }

  /** As PostgreSQL reads it. */
  toString(): string {
    return `${this.xmin}:${this.xmax}:${this.running.join(',')}`;
  }
}
