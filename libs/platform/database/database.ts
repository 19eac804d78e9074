import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Pool } from 'pg';
import { withTiming } from './statement-channel';
import { currentAccount, currentRequest } from '../context/current-request';
import type { CommitFollower, FollowUp, Queryable, Statement, Transaction } from './transaction';
import { readingScopes } from './replicas/reading-scope';
import type { QueryConfig } from './pipeline';
import { ReadBatcher } from './read-batcher';
import { holdingConnection, reportSecondConnection } from './one-connection';
import { OpenTransaction, POSITION, type BegunTransaction, type Exclusive } from './open-transaction';
import { currentUnit, UnitOfWork, withRetries } from './unit-of-work';

export { shortRead, statement, Transaction, type Queryable, type Statement } from './transaction';

/** Access to the database: named statements, and transactions. */
@Injectable()
export class Database implements Queryable {
  private readonly log = new Logger(Database.name);

  private commitWatcher: () => void = () => undefined;

  private follower: CommitFollower | null = null;

  private readonly readBatcher = new ReadBatcher(
    () => this.pool,
    (statement) => this.runAlone(statement),
  );

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Calls `follower` with the WAL position (Infinity if unknown) after each attempt to commit changes of a request,
   * before the watcher of `whenCommitted` is called. Commits of `outsideTransaction` are not followed.
   */
  followCommits(follower: CommitFollower): void {
    this.follower = follower;
  }

  /**
   * Calls `watcher` after the commits of this process, except commits of `outsideTransaction`. `watcher` is also called
   * after a failed statement of `autocommit`, and must not throw. There is one watcher: `CommitNotifier`.
   */
  whenCommitted(watcher: () => void): void {
    this.commitWatcher = watcher;
  }

  /**
   * Reads rows. If the unit of work of the request (one transaction for all changes of the request) has begun, the read
   * runs in this transaction and sees the changes. Within `ReadingDatabase.during`, the read may run on a replica.
   */
  rows<Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const tx = currentUnit()?.current;
    if (tx) return tx.rows<Row>(sql, values);
    reportSecondConnection(sql.name);
    return readingScopes.getStore()?.replica?.rows<Row>(sql, values) ?? this.read<Row>(sql, values);
  }

  /**
   * A change that consists of one statement. The change is a separate transaction, or a part of the request's unit of
   * work.
   */
  readonly autocommit: Queryable = {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []) => {
      const unit = openUnit();
      return unit ? unit.change<Row>(sql, values) : this.ownTransaction.rows<Row>(sql, values);
    },
  };

  /** Runs one statement in a separate transaction. */
  private readonly ownTransaction: Queryable = {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []) => {
      reportSecondConnection(sql.name);
      const rows = this.runOnPool<Row>(sql, values);
      return (this.commitFollower ? rows.finally(this.reportPosition) : rows).finally(() => this.commitWatcher());
    },
  };

  /**
   * Runs statements outside the request's unit of work. Use it for writes that must remain if the request fails, such
   * as the numbers of failed attempts and the rows of stored files.
   */
  readonly outsideTransaction: Queryable = {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []) => {
      reportSecondConnection(sql.name);
      return this.runOnPool<Row>(sql, values);
    },
  };

  /** The numbers of busy and idle connections of this process, and the number of calls that wait for a connection. */
  get connections(): { busy: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount + this.readBatcher.pendingCount };
  }

  /** TypeORM's manager. Uses the transaction of the request's unit of work if the unit has begun. Only for reading. */
  get manager(): EntityManager {
    const tx = currentUnit()?.current;
    if (tx) return tx.manager;
    reportSecondConnection('EntityManager');
    return this.dataSource.manager;
  }

  /**
   * Applies all changes of `work` or none. After some errors, such as a deadlock, `work` is repeated (`withRetries`),
   * so it must have no effects outside the database. After any other exception, the changes are rolled back and the
   * exception is rethrown. In a unit of work, the changes are committed together with the unit.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return openUnit()?.join(work) ?? this.runTransaction(work);
  }

  /**
   * Creates a unit of work: one transaction for all changes of a request, which begins with the first change. The
   * caller must end the unit. With `exclusive`, the transaction begins only when no other transaction holds
   * `exclusive.lock`.
   */
  unit(exclusive: Exclusive | null = null): UnitOfWork {
    return new UnitOfWork(
      (first) => this.begin(exclusive, first),
      (followUps) => this.notifyAndRunFollowUps(followUps),
    );
  }

  /**
   * Creates the unit of work of a dry run. Other requests do not see the changes of this unit, and the caller must roll
   * the unit back.
   */
  dryUnit(): UnitOfWork {
    return new UnitOfWork(
      (first) => this.begin(null, first),
      () => Promise.reject(new Error('a dry run has no follow-ups')),
      true,
    );
  }

  private async begin<Row extends object>(
    exclusive: Exclusive | null = null,
    first: QueryConfig | null = null,
  ): Promise<BegunTransaction<Row>> {
    reportSecondConnection('transaction');
    for (;;) {
      const begunTransaction = await OpenTransaction.begin<Row>(
        this.dataSource,
        { account: currentAccount(), lock: exclusive?.lock ?? null, follower: this.commitFollower },
        first,
      );
      if (begunTransaction) return begunTransaction;
      await exclusive?.whenHeldByAnother();
    }
  }

  /** Positions are recorded only for requests, because jobs and commands do not read from replicas. */
  private get commitFollower(): CommitFollower | null {
    return this.follower && currentRequest.getStore() ? this.follower : null;
  }

  /**
   * Called after a statement of `autocommit`, even if the statement failed: the change may be committed although its
   * response was lost. No statement of `autocommit` hides anything that a reader could see, so `hidden` is false.
   */
  private readonly reportPosition = async (): Promise<void> => {
    const [row] = await this.runOnPool<{ position: number }>(POSITION, []).catch(() => []);
    await this.commitFollower?.({ position: row?.position ?? Infinity, hidden: false });
  };

  private async runTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { result, registeredFollowUps } = await withRetries(() => this.attempt(work));
    await this.notifyAndRunFollowUps(registeredFollowUps);
    return result;
  }

  private async attempt<T>(
    work: (tx: Transaction) => Promise<T>,
  ): Promise<{ result: T; registeredFollowUps: readonly FollowUp[] }> {
    const { open } = await this.begin();
    let result: T;
    try {
      result = await holdingConnection(() => work(open.tx));
    } catch (error) {
      await open.rollback();
      throw error;
    }
    await open.commit();
    return { result, registeredFollowUps: open.tx.registeredFollowUps };
  }

  /**
   * Calls the watcher of `whenCommitted`, and then runs the follow-ups in the order of their registration. A failure of
   * a follow-up is only logged, because the transaction is already committed.
   */
  private async notifyAndRunFollowUps(followUps: readonly FollowUp[]): Promise<void> {
    this.commitWatcher();
    for (const followUp of followUps) {
      try {
        await followUp();
      } catch (error) {
        this.log.error(error);
      }
    }
  }

  private read<Row extends object>(sql: Statement, values: readonly unknown[]): Promise<Row[]> {
    return sql.isShort
      ? withTiming(sql.name, () => this.readBatcher.read<Row>({ name: sql.name, text: sql.text, values }))
      : this.runOnPool<Row>(sql, values);
  }

  private runOnPool<Row extends object>(sql: Statement, values: readonly unknown[]): Promise<Row[]> {
    return withTiming(sql.name, () => this.runAlone<Row>({ name: sql.name, text: sql.text, values }));
  }

  private async runAlone<Row extends object>({ name, text, values = [] }: QueryConfig): Promise<Row[]> {
    return (await this.pool.query<Row>({ name, text, values: [...values] })).rows;
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

/**
 * Returns the unit of the current request; null if there is none, or if it has ended. Some work of a request, such as
 * deleting files, runs after the end of its unit. The unit of a dry run is returned even after its end, because this
 * unit then refuses further changes.
 */
function openUnit(): UnitOfWork | null {
  const unit = currentUnit();
  return unit && (unit.isDry || !unit.isClosed) ? unit : null;
}
