import type { Client } from 'pg';
import { PrimaryPositions } from './primary-positions';
import { Replica, SERVER_STATE, type Primary } from './replica';
import { ServerWatch } from './server-watch';

interface PrimaryRow {
  readonly system: string;
  readonly database: string;
  readonly position: number;
}

/** pg_current_wal_lsn() is the end of the written WAL. WAL that is inserted but not written is not sent to standbys. */
const STATE_QUERY = `SELECT ${SERVER_STATE}, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS position`;

/** The history of the primary's positions covers the maximum lag plus this time. */
const HISTORY_MARGIN_MS = 5_000;

/** Functions that connect to the primary and create the replicas. */
export interface Servers {
  /** Opens a separate connection to the primary. */
  readonly primary: () => Promise<Client>;
  readonly replicas: readonly ((primary: Primary) => Replica)[];
}

/** The streaming replicas. Checks them repeatedly, and selects a replica for a read. */
export class Replicas {
  readonly all: readonly Replica[];
  private readonly primary: Primary;
  private readonly watch: ServerWatch<PrimaryRow>;

  /**
   * @param maxLagMs a replica with a greater lag is not used
   *
   * @param maxCheckAgeMs milliseconds for which the last check of a replica is valid
   */
  constructor(servers: Servers, maxLagMs: number, maxCheckAgeMs: number) {
    const positions = new PrimaryPositions(maxLagMs + HISTORY_MARGIN_MS);
    this.primary = { system: null, database: null, positions, maxLagMs, maxCheckAgeMs };
    this.all = servers.replicas.map((make) => make(this.primary));
    this.watch = new ServerWatch<PrimaryRow>(
      servers.primary,
      STATE_QUERY,
      (row, queriedAtMs) => this.update(row, queriedAtMs),
      () => undefined,
    );
  }

  /**
   * Returns the usable replica that has replayed all commits up to `position` and has the fewest reads in progress.
   * Null if there is none, so the primary must be used.
   */
  findUsable(position: number): Replica | null {
    const candidates = this.all.filter((replica) => replica.canReadAt(position));
    return candidates.reduce<Replica | null>(
      (best, replica) => (best === null || replica.pendingReads < best.pendingReads ? replica : best),
      null,
    );
  }

  /** Starts the repeated checks. A replica is not used before its first check. */
  start(): void {
    this.watch.start();
    for (const replica of this.all) replica.start();
  }

  /** Checks all servers now. */
  async check(): Promise<void> {
    await this.watch.check();
    await Promise.all(this.all.map((replica) => replica.check()));
  }

  /**
   * Returns the latest known position of the primary. If the primary answers the checks, the position is not older than
   * the call.
   */
  async currentPosition(): Promise<number> {
    // If a check is in progress, the first `check` only waits for it, and that check may have read the position before
    // this method began. The second `check` waits for a check that began later.
    await this.watch.check();
    await this.watch.check();
    return this.primary.positions.latest;
  }

  async stop(): Promise<void> {
    await Promise.all([this.watch.stop(), ...this.all.map((replica) => replica.stop())]);
  }

  private update({ system, database, position }: PrimaryRow, queriedAtMs: number): void {
    Object.assign(this.primary, { system, database });
    this.primary.positions.add({ atMs: queriedAtMs, position });
  }
}
