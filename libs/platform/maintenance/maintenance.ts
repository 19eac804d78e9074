import { Injectable } from '@nestjs/common';
import { Database, statement, type Transaction } from '../database/database';

/** Milliseconds for which a process uses the state that it has read. */
export const MAINTENANCE_CACHED_MS = 1_000;

const SHOW = statement('maintenance_show', 'SELECT message, since FROM maintenance');
const BEGIN = statement(
  'maintenance_begin',
  `INSERT INTO maintenance (message, since) VALUES ($1, $2)
   ON CONFLICT (only_one) DO UPDATE SET message = excluded.message RETURNING message, since`,
);
const END = statement('maintenance_end', 'DELETE FROM maintenance RETURNING message, since');

/** The maintenance in progress. */
export interface MaintenanceState {
  /** The operator's message, which the responses to refused requests contain. */
  readonly message: string;
  readonly since: Date;
}

/**
 * Maintenance mode (OPS-120, OPS-121): requests can read everything but change nothing, and no job starts. The state is
 * a row of the database, so it is the same on all servers and after a restart. `recentState` reads the row only when
 * the state is needed, and (except after a failed read) at most once a second in each process.
 */
@Injectable()
export class Maintenance {
  private known: Promise<MaintenanceState | null> = Promise.resolve(null);
  private knownUntilMs = -Infinity;

  constructor(private readonly database: Database) {}

  /** The state, which may be up to a second old; null if there is no maintenance. */
  recentState(): Promise<MaintenanceState | null> {
    const now = performance.now();
    if (now < this.knownUntilMs) return this.known;
    this.knownUntilMs = now + MAINTENANCE_CACHED_MS;
    const known = this.read();
    // After a failed read, the next call of `recentState` reads again.
    known.catch(() => (this.knownUntilMs = -Infinity));
    return (this.known = known);
  }

  /** The current state, read from the primary; null if there is no maintenance. */
  async read(): Promise<MaintenanceState | null> {
    const [row] = await this.database.outsideTransaction.rows<MaintenanceState>(SHOW);
    return row ?? null;
  }

  /** Begins maintenance. If maintenance is in progress, changes only its message. */
  async begin(tx: Transaction, message: string, since: Date): Promise<MaintenanceState> {
    const [row] = await tx.rows<MaintenanceState>(BEGIN, [message, since]);
    if (!row) throw new Error('the maintenance has no row');
    return row;
  }

  /** Ends maintenance. Returns the maintenance that was ended; null if there was none. */
  async end(tx: Transaction): Promise<MaintenanceState | null> {
    const [row] = await tx.rows<MaintenanceState>(END);
    return row ?? null;
  }

  /** Runs `work` with a signal that is aborted within about two seconds after maintenance has begun. */
  async interrupting<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setInterval(() => {
      this.recentState().then(
        (state) => state && controller.abort(new Error('maintenance has begun')),
        () => undefined,
      );
    }, MAINTENANCE_CACHED_MS).unref();
    try {
      return await work(controller.signal);
    } finally {
      clearInterval(timer);
    }
  }
}
