import { Logger } from '@nestjs/common';
import { Pool, type Client, type PoolConfig } from 'pg';
import { codeOf, reasonOf } from '../../text/reason';
import { isUnavailable } from '../availability';
import { withTiming } from '../statement-channel';
import type { Queryable, Statement } from '../transaction';
import type { PrimaryPositions } from './primary-positions';
import { ServerWatch } from './server-watch';

/** The state that a replica reports. */
interface ReplicaRow {
  readonly system: string;
  readonly database: string;
  readonly standby: boolean;
  /** Bytes of WAL that the replica has replayed; null if the server is no standby. */
  readonly position: number | null;
}

export const SERVER_STATE = `(SELECT system_identifier::text FROM pg_control_system()) AS system, current_database() AS database, pg_is_in_recovery() AS standby`;
const STATE_QUERY = `SELECT ${SERVER_STATE}, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS position`;

/**
 * Error codes that concern only one statement and not the server: a conflict with the replay of changes (the primary
 * has removed a row version that the statement reads), or a statement or a lock that took too long.
 */
const SINGLE_STATEMENT_CODES = new Set(['40001', '40P01', '55P03', '57014']);

/** The primary whose changes a replica must receive, with the primary's positions and the limits for its replicas. */
export interface Primary {
  /** The identifier of the primary's cluster. Null, like `database`, until the first check of the primary. */
  readonly system: string | null;
  readonly database: string | null;
  readonly positions: PrimaryPositions;
  /** Maximum lag in milliseconds. Reads do not use a replica with a longer lag. */
  readonly maxLagMs: number;
  /** Milliseconds after which the last check of a replica is too old. */
  readonly maxCheckAgeMs: number;
}

/** A streaming replica: its pool of connections, and whether reads may use it. */
export class Replica implements Queryable {
  private readonly log = new Logger(Replica.name);
  private readonly pool: Pool;
  private readonly clients = new Set<Client>();
  private readonly watch: ServerWatch<ReplicaRow>;
  private checkedAtMs = -Infinity;
  private replayedPosition = 0;
  private lagMs: number | null = null;
  private reason: string | null = 'it has not been checked yet';

  constructor(
    readonly name: string,
    options: PoolConfig,
    connect: () => Promise<Client>,
    private readonly primary: Primary,
  ) {
    this.pool = new Pool(options);
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => this.clients.add(client as unknown as Client));
    this.pool.on('remove', (client) => this.clients.delete(client as unknown as Client));
    this.watch = new ServerWatch<ReplicaRow>(
      connect,
      STATE_QUERY,
      (row) => this.update(row),
      (error) => this.disconnect(error),
    );
  }

  /** The reason why reads do not use the replica; null if they do. */
  get unusableReason(): string | null {
    return (
      this.reason ??
      (performance.now() - this.checkedAtMs > this.primary.maxCheckAgeMs ? 'its last check is too old' : null)
    );
  }

  /** How many seconds the replica was behind the primary at the last check; null if unknown. */
  get lagSeconds(): number | null {
    return this.lagMs === null ? null : this.lagMs / 1000;
  }

  /** The number of reads that run on the replica or wait for a connection. */
  get pendingReads(): number {
    return this.pool.totalCount - this.pool.idleCount + this.pool.waitingCount;
  }

  /** True if reads may use the replica and the replica has replayed all commits up to `position`. */
  canReadAt(position: number): boolean {
    return this.replayedPosition >= position && this.unusableReason === null;
  }

  async rows<Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const { rows } = await withTiming(sql.name, () =>
        this.pool.query<Row>({ name: sql.name, text: sql.onStandby ?? sql.text, values: [...values] }),
      );
      return rows;
    } catch (error) {
      if (isUnavailable(error) && !SINGLE_STATEMENT_CODES.has(codeOf(error))) this.disable(reasonOf(error));
      throw error;
    }
  }

  start(): void {
    this.watch.start();
  }

  check(): Promise<void> {
    return this.watch.check();
  }

  async stop(): Promise<void> {
    await this.watch.stop();
    await this.pool.end();
  }

  private update({ system, database, standby, position }: ReplicaRow): void {
    const { primary } = this;
    this.checkedAtMs = performance.now();
    this.replayedPosition = position ?? 0;
    const lagMs = primary.positions.lagOf(this.replayedPosition, this.checkedAtMs);
    this.lagMs = lagMs;
    if (!standby) this.disable('it is no standby');
    else if (primary.system !== null && (system !== primary.system || database !== primary.database))
      this.disable('it does not replicate the database of DATABASE_URL');
    else if (lagMs === null || lagMs > primary.maxLagMs)
      this.disable(`it is ${lagMs === null ? 'an unknown time' : `${(lagMs / 1000).toFixed(1)} seconds`} behind`);
    else this.enable();
  }

  /** Stops the use of a replica that does not answer. Its pending reads fail immediately. */
  private disconnect(error: unknown): void {
    this.lagMs = null;
    this.disable(reasonOf(error));
    for (const client of this.clients)
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  private enable(): void {
    if (this.reason !== null) this.log.log(`The replica ${this.name} is used for reads.`);
    this.reason = null;
  }

  private disable(reason: string): void {
    if (this.reason === null) this.log.warn(`The replica ${this.name} is not used for reads: ${reason}.`);
    this.reason = reason;
  }
}
