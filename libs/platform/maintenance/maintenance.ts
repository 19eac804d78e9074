import { Injectable } from '@nestjs/common';
import { Database, statement, type Transaction } from '../database/database';

/** Milliseconds for which a process uses the state that it has read. */
export const KNOWN_FOR_MS = 1_000;

const SHOW = statement('maintenance_show', 'SELECT message, since FROM maintenance');
const BEGIN = statement(
  'maintenance_begin',
  `INSERT INTO maintenance (message, since) VALUES ($1, $2)
   ON CONFLICT (only_one) DO UPDATE SET message = excluded.message RETURNING message, since`,
);
const END = statement('maintenance_end', 'DELETE FROM maintenance RETURNING message, since');

/** The maintenance in progress. */
export interface MaintenanceState {
  /** The operator's message to people. */
  readonly message: string;
  readonly since: Date;
}

/**
 * Maintenance mode (OPS-120): everything can be read, but nothing is changed. The state is a row of the database, so it
 * is the same on all servers and after a restart. Each process reads the state when it is needed, at most once a
 * second.
 */
@Injectable()
export class Maintenance {
  private known: Promise<MaintenanceState | null> = Promise.resolve(null);
  private knownUntilMs = -Infinity;

  constructor(private readonly database: Database) {}

  /** The state, which may be up to a second old; null: no maintenance. */
  recent(): Promise<MaintenanceState | null> {
    const now = performance.now();
    if (now < this.knownUntilMs) return this.known;
    this.knownUntilMs = now + KNOWN_FOR_MS;
    const known = this.read();
    // A failed read is repeated at the next call.
    known.catch(() => (this.knownUntilMs = -Infinity));
    return (this.known = known);
  }

  /** The current state, read from the primary. */
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

  /** Runs `work` with a signal that is aborted at most about two seconds after the beginning of maintenance. */
  async interrupting<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setInterval(() => {
      this.recent().then(
        (state) => state && controller.abort(new Error('maintenance has begun')),
        () => undefined,
      );
    }, KNOWN_FOR_MS).unref();
    try {
      return await work(controller.signal);
    } finally {
      clearInterval(timer);
    }
  }
}
