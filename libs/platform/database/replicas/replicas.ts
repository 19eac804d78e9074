import type { Client } from 'pg';
import { PrimaryPositions } from './replicated-positions';
import { Replica, SERVER_STATE, type Primary } from './replica';
import { ServerWatch } from './server-watch';

interface PrimaryRow {
  readonly system: string;
  readonly database: string;
  readonly position: number;
}

/** Written to the log, not merely meant to be: what standbys are sent. */
const LOOK = `SELECT ${SERVER_STATE}, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS position`;

/** Milliseconds of history beyond the longest lag. */
const BEYOND_MS = 5_000;

/** How one talks to the servers. */
export interface Servers {
  /** A connection of its own to the primary. */
  readonly primary: () => Promise<Client>;
  readonly replicas: readonly { readonly name: string; readonly make: (primary: Primary) => Replica }[];
}

/** The streaming replicas, and which of them may be read from. */
export class Replicas {
  readonly all: readonly Replica[];
  private readonly positions: PrimaryPositions;
  private readonly watch: ServerWatch<PrimaryRow>;
  private system: string | null = null;
  private database: string | null = null;

  /**
   * @param maxLagMs how far a replica may be behind
   * @param seenMs how long what was seen of it holds
   */
  constructor(servers: Servers, maxLagMs: number, seenMs: number) {
    this.positions = new PrimaryPositions(maxLagMs + BEYOND_MS);
    const known = (): Pick<Primary, 'system' | 'database'> => ({ system: this.system, database: this.database });
    const primary: Primary = {
      get system() {
        return known().system;
      },
      get database() {
        return known().database;
      },
      positions: this.positions,
      maxLagMs,
      seenMs,
    };
    this.all = servers.replicas.map(({ make }) => make(primary));
    this.watch = new ServerWatch<PrimaryRow>(
      servers.primary,
      LOOK,
      (row, askedMs) => this.see(row, askedMs),
      () => undefined,
    );
  }

  /** One that has all that was committed up to there, the one with the fewest requests; null: the primary alone will do. */
  having(position: number): Replica | null {
    const able = this.all.filter((replica) => replica.has(position));
    return able.reduce<Replica | null>(
      (best, replica) => (best === null || replica.busy < best.busy ? replica : best),
      null,
    );
  }

  /** From now on they are looked at all the time; before, none is read from. */
  start(): void {
    this.watch.start();
    for (const replica of this.all) replica.start();
  }

  /** Looks at all of them now. */
  async look(): Promise<void> {
    await this.watch.look();
    await Promise.all(this.all.map((replica) => replica.look()));
  }

  /** Where the primary is now, or later. */
  async positionAfter(): Promise<number> {
    // A look that is under way may have been asked before.
    await this.watch.look();
    await this.watch.look();
    return this.positions.latest;
  }

  async stop(): Promise<void> {
    await Promise.all([this.watch.stop(), ...this.all.map((replica) => replica.stop())]);
  }

  private see({ system, database, position }: PrimaryRow, askedMs: number): void {
    [this.system, this.database] = [system, database];
    this.positions.add({ atMs: askedMs, position });
  }
}
