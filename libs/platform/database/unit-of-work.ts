import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource } from 'typeorm';
import type { PoolClient } from 'pg';
import { LIMITS } from '#contract/limits';
import { hasLostWhatItRefersTo } from './availability';
import { Transaction, type FollowUp, type Statement } from './transaction';

/** PostgreSQL's "try again" answers: serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** Does the work again when PostgreSQL asks for that, or what it refers to has just gone, three times in all. */
export async function trying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= LIMITS.transaction.attempts || !(RETRYABLE.has(codeOf(error)) || hasLostWhatItRefersTo(error))) throw error;
    }
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : '';
}

/** A transaction on a connection of its own, which goes back to the pool with either end. */
export class OpenTransaction {
  private constructor(
    readonly tx: Transaction,
    private readonly end: (how: 'commit' | 'rollback') => Promise<void>,
  ) {}

  /** @param account on whose behalf; null: nobody's. What is recorded in it tells of that (platform/changes). */
  static async begin(dataSource: DataSource, account: number | null = null): Promise<OpenTransaction> {
    const runner = dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      // In one round trip; a number is all that is ever written into it.
      await client.query(account === null ? 'START TRANSACTION' : `START TRANSACTION; SET LOCAL "changes.by" = '${Number(account)}'`);
      // What TypeORM is asked to store belongs to it, and its commit and rollback end it.
      Object.assign(runner, { isTransactionActive: true });
      return new OpenTransaction(new Transaction(runner.manager, client), async (how) => {
        try {
          if (how === 'commit') await runner.commitTransaction();
          // A broken connection cannot roll back; the server has done so itself.
          else if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
        } catch (error) {
          if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
          throw error;
        } finally {
          await runner.release();
        }
      });
    } catch (error) {
      await runner.release();
      throw error;
    }
  }

  commit(): Promise<void> {
    return this.end('commit');
  }

  rollback(): Promise<void> {
    return this.end('rollback');
  }
}

/**
 * One transaction around all the transactions of one request: they join it, and it is committed when the request's answer is made
 * and stored beside what it tells of (platform/retries). It begins with the first of them, so that nothing is held open while a body
 * is received or a video made. From then on what is read by `Database.rows` is read in it, so the answer shows what was changed.
 */
export class UnitOfWork {
  private open: OpenTransaction | null = null;
  private closed = false;

  constructor(
    private readonly begin: () => Promise<OpenTransaction>,
    private readonly followUp: (works: readonly FollowUp[]) => Promise<void>,
  ) {}

  /** The transaction in which to read, once there is one. */
  get current(): Transaction | null {
    return this.open?.tx ?? null;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** As `Database.transaction`: all of `work` or nothing of it, and what it throws is thrown on. */
  join<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return trying(() => (this.open ? within(this.open.tx, work) : this.first(work)));
  }

  /** A change that is one statement. */
  change<Row extends object>(sql: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.open ? this.open.tx.rows<Row>(sql, values) : this.join((tx) => tx.rows<Row>(sql, values));
  }

  /**
   * Ends it: commits if `last`, the last thing in it, says so, and does what was asked for after the commit; else, or when anything
   * throws, nothing has happened.
   */
  async commitIf(last: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
    try {
      // Without a savepoint: what fails here takes back all of it.
      const wanted = await (this.open ? last(this.open.tx) : this.join(last));
      const { open } = this;
      if (!wanted || !open) return false;
      this.open = null;
      await open.commit();
      this.closed = true;
      await this.followUp(open.tx.afterwards);
      return true;
    } finally {
      await this.rollback();
    }
  }

  /** Ends it as if it had never begun. Nothing when it has ended already. */
  async rollback(): Promise<void> {
    const { open } = this;
    this.closed = true;
    this.open = null;
    await open?.rollback();
  }

  private async first<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const open = await this.begin();
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

/** A later transaction of the same unit: what it throws takes back its own changes only. */
async function within<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const before = tx.afterwards.length;
  await tx.manager.query('SAVEPOINT joined');
  try {
    const result = await work(tx);
    await tx.manager.query('RELEASE SAVEPOINT joined');
    return result;
  } catch (error) {
    tx.forgetAfterwards(before);
    // On a broken connection nothing is left to take back.
    await tx.manager.query('ROLLBACK TO SAVEPOINT joined').catch(() => undefined);
    throw error;
  }
}

/** The unit of work in whose course something is done, wherever that is. */
export const unitsOfWork = new AsyncLocalStorage<UnitOfWork>();
