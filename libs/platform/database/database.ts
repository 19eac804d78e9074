import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import type { Pool, PoolClient } from 'pg';
import { LIMITS } from '#contract/limits';

/**
 * A hand-written SQL statement with a name. PostgreSQL plans it once a connection, for all values, and keeps the plan: that is asked
 * of it by `plan_cache_mode` (data-source.ts), a name alone would not do. So a statement needs one plan that is good whatever it is
 * asked for; where there is none, there are two statements (docs/adr/0003-named-sql.md). Names are unique in the whole project.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Declares a named statement: `const LIST = statement('discover_list', 'SELECT …')`. */
export function statement(name: string, text: string): Statement {
  return { name, text };
}

/** Anything that answers named statements: the pool (outside a transaction) or a transaction. */
export interface Queryable {
  rows<Row extends object>(sql: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** Work for after a commit. */
type FollowUp = () => Promise<void>;

/** One open transaction: TypeORM's manager for ordinary writes, named statements beside it, work for after the commit. */
export class Transaction implements Queryable {
  private readonly followUps: FollowUp[] = [];

  constructor(
    readonly manager: EntityManager,
    private readonly client: PoolClient,
  ) {}

  async rows<Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.client.query<Row>({ name: sql.name, text: sql.text, values: [...values] });
    return result.rows;
  }

  /**
   * Runs once the transaction is durable, and never when it is rolled back. For what must not happen inside one
   * (files, mail). It is best effort: whatever must happen for sure also has a row that a job finishes.
   */
  afterCommit(work: FollowUp): void {
    this.followUps.push(work);
  }

  /** What was asked for by `afterCommit`, for the one who commits. */
  get afterwards(): readonly FollowUp[] {
    return this.followUps;
  }
}

/** PostgreSQL's "try again" answers: serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** The way to the database: named reads on the pool, and transactions. */
@Injectable()
export class Database implements Queryable {
  private readonly log = new Logger(Database.name);

  constructor(private readonly dataSource: DataSource) {}

  async rows<Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.pool.query<Row>({ name: sql.name, text: sql.text, values: [...values] });
    return result.rows;
  }

  /** TypeORM's manager outside a transaction: reads only. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Everything in `work` happens or nothing does. Serialization failures and deadlocks are tried again, three times
   * in all, so `work` must have no effect but on the database. What it throws rolls back and is thrown on.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, afterwards } = await this.once(work);
        await this.runAll(afterwards);
        return result;
      } catch (error) {
        if (attempt >= LIMITS.transaction.attempts || !RETRYABLE.has(codeOf(error))) throw error;
      }
    }
  }

  private async once<T>(work: (tx: Transaction) => Promise<T>): Promise<{ result: T; afterwards: readonly FollowUp[] }> {
    const runner: QueryRunner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      const tx = new Transaction(runner.manager, client);
      const result = await work(tx);
      await runner.commitTransaction();
      return { result, afterwards: tx.afterwards };
    } catch (error) {
      // A broken connection cannot roll back; the server has done so itself.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** One after the other, in the order of asking. The transaction stands, so a failure is only logged. */
  private async runAll(followUps: readonly FollowUp[]): Promise<void> {
    for (const followUp of followUps) {
      try {
        await followUp();
      } catch (error) {
        this.log.error(error);
      }
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : '';
}
