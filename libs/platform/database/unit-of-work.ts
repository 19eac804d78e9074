import { LIMITS } from '#contract/limits';
import { currentRequest } from '../context/current-request';
import { codeOf } from '../text/reason';
import { isMissingReference } from './availability';
import type { BegunTransaction, OpenTransaction } from './open-transaction';
import type { QueryConfig } from './pipeline';
import type { FollowUp, Statement, Transaction } from './transaction';

/** Error codes of PostgreSQL after which a transaction is retried: serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/**
 * Repeats the work after a serialization failure, after a deadlock, and if the work referred to a row that was just
 * deleted (`isMissingReference`). There are at most three attempts.
 */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= LIMITS.transaction.attempts || !(RETRYABLE.has(codeOf(error)) || isMissingReference(error)))
        throw error;
    }
  }
}

/**
 * One database transaction for all changes (`Database.transaction` and `autocommit`) of a request that has an
 * `Idempotency-Key` or is a dry run. The transaction begins with the first change, so no lock is held while a body is
 * received or a video is converted. Later changes join the transaction. It is committed when the response is stored
 * (platform/retries). The transaction of a dry run is rolled back instead. After the transaction has begun,
 * `Database.rows` also reads in it, so the response shows the changes.
 */
export class UnitOfWork {
  private open: OpenTransaction | null = null;
  private closed = false;

  constructor(
    private readonly begin: <Row extends object>(first?: QueryConfig) => Promise<BegunTransaction<Row>>,
    private readonly runFollowUps: (followUps: readonly FollowUp[]) => Promise<void>,
    /**
     * Whether the unit belongs to a dry run. Such a unit is rolled back at its end. Changes after the end are refused,
     * because they would be committed separately.
     */
    readonly isDry = false,
  ) {}

  /** The transaction for reads; null before the unit has begun and after it has ended. */
  get current(): Transaction | null {
    return this.open?.tx ?? null;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Like `Database.transaction`: applies all changes of `work` or none, and rethrows an exception. */
  async join<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.refuseAfterEnd();
    return withRetries(() => (this.open ? joinWithSavepoint(this.open.tx, work) : this.beginWithWork(work)));
  }

  /** Runs a change that consists of one statement. If the statement fails, the unit can continue. */
  async change<Row extends object>(sql: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.refuseAfterEnd();
    return this.open
      ? joinWithSavepoint(this.open.tx, (tx) => tx.rows<Row>(sql, values))
      : withRetries(() => this.beginWithStatement<Row>({ ...sql, values }));
  }

  /**
   * Commits the unit with `last` as the last statement, in the same message as COMMIT. Then runs the registered
   * follow-ups. If anything throws before the commit, nothing is committed.
   */
  async commitWith(last: Statement, values: readonly unknown[]): Promise<void> {
    try {
      if (!this.open) await this.join(async () => undefined);
      const open = this.open;
      this.open = null;
      this.closed = true;
      await open?.commit({ ...last, values });
      await this.runFollowUps(open?.tx.registeredFollowUps ?? []);
    } finally {
      await this.rollback();
    }
  }

  /** Ends the unit. Rolls back its transaction if the transaction is open. */
  async rollback(): Promise<void> {
    const { open } = this;
    this.closed = true;
    this.open = null;
    await open?.rollback();
  }

  private refuseAfterEnd(): void {
    if (this.closed && this.isDry) throw new Error('a change after the end of the dry run');
  }

  private async beginWithStatement<Row extends object>(first: QueryConfig): Promise<Row[]> {
    const { open, rows } = await this.begin<Row>(first);
    this.open = open;
    return rows;
  }

  private async beginWithWork<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { open } = await this.begin();
    this.open = open;
    try {
      return await work(open.tx);
    } catch (error) {
      this.open = null;
      await open.rollback();
      throw error;
    }
  }
}

/** Runs `work` in the transaction of a unit that has begun. An exception rolls back only the changes of `work`. */
async function joinWithSavepoint<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const before = tx.registeredFollowUps.length;
  await tx.manager.query('SAVEPOINT joined');
  try {
    const result = await work(tx);
    await tx.manager.query('RELEASE SAVEPOINT joined');
    return result;
  } catch (error) {
    tx.dropFollowUpsAfter(before);
    // A broken connection has no changes to roll back.
    await tx.manager.query('ROLLBACK TO SAVEPOINT joined').catch(() => undefined);
    throw error;
  }
}

/** The unit of the current request; null if the request has none. */
export function currentUnit(): UnitOfWork | null {
  return currentRequest.getStore()?.unit ?? null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The unit of work that all transactions of the request join; null if each transaction is committed separately. */
    unit: UnitOfWork | null;
  }
}
