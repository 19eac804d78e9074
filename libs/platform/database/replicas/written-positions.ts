/** Where positions are remembered: for this process, for all of them, or for this one while Redis is away. */
export type PositionsPlace = 'memory' | 'redis' | 'memory-for-redis';

/** Up to where in the log of changes a replica must have come for an account to find there what it has written. */
export interface WrittenPositions {
  readonly place: PositionsPlace;
  /** @param position bytes of the log; Infinity: not known, so that the primary alone has it for sure */
  remember(account: number, position: number): Promise<void>;
  /** 0: it has written nothing that a replica in service could lack. Infinity: the primary alone has it for sure. */
  of(account: number): number | Promise<number>;
  close(): Promise<void>;
}

/** Some 100 bytes each. */
const MOST = 50_000;

interface Written {
  readonly position: number;
  /** From when on every replica in service has it: milliseconds of a clock that is never set. */
  readonly untilMs: number;
}

/** Of what this process commits. */
export class OwnPositions implements WrittenPositions {
  readonly place = 'memory';
  private readonly written = new Map<number, Written>();
  /** What holds for accounts that had to be forgotten. */
  private others: Written = { position: 0, untilMs: 0 };

  /** @param keptMs longer than a replica in service can be behind */
  constructor(
    private readonly keptMs: number,
    private readonly most = MOST,
  ) {}

  remember(account: number, position: number): Promise<void> {
    const known = this.of(account);
    this.written.delete(account);
    this.written.set(account, { position: Math.max(known, position), untilMs: performance.now() + this.keptMs });
    if (this.written.size > this.most) this.forgetOldest();
    return Promise.resolve();
  }

  of(account: number): number {
    return Math.max(currentPosition(this.written.get(account)), currentPosition(this.others));
  }

  /** What is not surely everywhere yet. */
  *all(): Iterable<readonly [account: number, position: number]> {
    for (const [account, written] of this.written) if (currentPosition(written) > 0) yield [account, written.position];
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private forgetOldest(): void {
    for (const [account, oldest] of this.written) {
      this.written.delete(account);
      if (currentPosition(oldest) > 0)
        this.others = {
          position: Math.max(currentPosition(this.others), oldest.position),
          untilMs: Math.max(this.others.untilMs, oldest.untilMs),
        };
      return;
    }
  }
}

function currentPosition(written: Written | undefined): number {
  return written && performance.now() < written.untilMs ? written.position : 0;
}
