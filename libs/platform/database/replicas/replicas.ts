import type { Client } from 'pg';
import { PrimaryPositions } from './replicated-positions';
import { Replica, SERVER_STATE, type Primary } from './replica';
import { ServerWatch } from './server-watch';

interface PrimaryRow {
  readonly system: string;
  readonly database: string;
  readonly position: number;
}

/** pg_current_wal_lsn() is the end of the written WAL. WAL that is inserted but not written is not sent to standbys. */
const STATE_QUERY = `SELECT ${SERVER_STATE}, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS position`;

/** Milliseconds. The history of the primary's positions covers the maximum lag plus this time. */
const HISTORY_MARGIN_MS = 5_000;

/** The ways to connect to the servers. */
export interface Servers {
  /** Opens a separate connection to the primary. */
  readonly primary: () => Promise<Client>;
  readonly replicas: readonly { readonly name: string; readonly make: (primary: Primary) => Replica }[];
}

/** The streaming replicas. Checks them repeatedly, and selects a replica for a read. */
export class Replicas {
  readonly all: readonly Replica[];
  private readonly positions: PrimaryPositions;
  private readonly watch: ServerWatch<PrimaryRow>;
  private system: string | null = null;
  private database: string | null = null;

  /**
   * @param maxLagMs maximum lag of a replica in use
   *
   * @param maxCheckAgeMs milliseconds for which the last check of a replica is valid
   */
  constructor(servers: Servers, maxLagMs: number, maxCheckAgeMs: number) {
    this.positions = new PrimaryPositions(maxLagMs + HISTORY_MARGIN_MS);
    const state = (): Pick<Primary, 'system' | 'database'> => ({ system: this.system, database: this.database });
    const primary: Primary = {
      get system() {
        return state().system;
      },
      get database() {
        return state().database;
      },
      positions: this.positions,
      maxLagMs,
      maxCheckAgeMs,
    };
    this.all = servers.replicas.map(({ make }) => make(primary));
    this.watch = new ServerWatch<PrimaryRow>(
      servers.primary,
      STATE_QUERY,
      (row, queriedAtMs) => this.update(row, queriedAtMs),
      () => undefined,
    );
  }

  /**
   * Returns the replica with the fewest reads in progress among those that have all commits up to `position`. Null: use
   * the primary.
   */
  having(position: number): Replica | null {
    const candidates = this.all.filter((replica) => replica.has(position));
    return candidates.reduce<Replica | null>(
      (best, replica) => (best === null || replica.busy < best.busy ? replica : best),
      null,
    );
  }

  /** Starts the repeated checks. No replica is used before the first check. */
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
  async positionAfter(): Promise<number> {
    // The first `check` may only wait for a check in progress, which may have read the position before this method
    // began. The second `check` begins a new one.
    await this.watch.check();
    await this.watch.check();
    return this.positions.latest;
  }

  async stop(): Promise<void> {
    await Promise.all([this.watch.stop(), ...this.all.map((replica) => replica.stop())]);
  }

  private update({ system, database, position }: PrimaryRow, queriedAtMs: number): void {
    [this.system, this.database] = [system, database];
    this.positions.add({ atMs: queriedAtMs, position });
  }
}
