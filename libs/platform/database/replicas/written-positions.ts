import type { StorePlace } from '../../redis/optional-redis';

/**
 * Stores for each account the WAL position that a replica must have reached so that the account sees its own writes.
 */
export interface WrittenPositions {
  readonly store: StorePlace;
  /**
   * @param position bytes of WAL; Infinity if it is unknown: only the primary is then certain to have the writes
   */
  remember(account: number, position: number): Promise<void>;
  /**
   * Returns the position of the account's last writes; 0 if all replicas that may answer reads have these writes, and
   * Infinity if only the primary is certain to have them.
   */
  positionOf(account: number): number | Promise<number>;
  close(): Promise<void>;
}

/** Maximum number of accounts with a stored position. Each account needs about 100 bytes. */
const MAX_ACCOUNTS = 50_000;

interface Written {
  readonly position: number;
  /**
   * From this time on (milliseconds of the monotonic clock), every replica that may answer reads has the position.
   */
  readonly untilMs: number;
}

/** Stores the positions of the commits of this process, in its memory. */
export class OwnPositions implements WrittenPositions {
  readonly store = 'memory';
  private readonly written = new Map<number, Written>();
  /** The highest position of the accounts that were dropped from the map. This position applies to all accounts. */
  private droppedPosition: Written = { position: 0, untilMs: 0 };

  /**
   * @param keptMs milliseconds for which positions are stored; longer than the lag of any replica that may answer reads
   */
  constructor(
    private readonly keptMs: number,
    private readonly maxAccounts = MAX_ACCOUNTS,
  ) {}

  remember(account: number, position: number): Promise<void> {
    const known = this.positionOf(account);
    this.written.delete(account);
    this.written.set(account, { position: Math.max(known, position), untilMs: performance.now() + this.keptMs });
    if (this.written.size > this.maxAccounts) this.forgetOldest();
    return Promise.resolve();
  }

  positionOf(account: number): number {
    return Math.max(currentPosition(this.written.get(account)), currentPosition(this.droppedPosition));
  }

  /**
   * The accounts in the map, each with its position. Accounts whose position all replicas that may answer reads have
   * reached are omitted.
   */
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
        this.droppedPosition = {
          position: Math.max(currentPosition(this.droppedPosition), oldest.position),
          untilMs: Math.max(this.droppedPosition.untilMs, oldest.untilMs),
        };
      return;
    }
  }
}

function currentPosition(written: Written | undefined): number {
  return written && performance.now() < written.untilMs ? written.position : 0;
}
