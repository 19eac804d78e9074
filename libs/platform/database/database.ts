import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Pool } from 'pg';
import { timed } from './statement-channel';
import { currentAccount, currentRequest } from '../context/current-request';
import type { CommitFollower, CommitPlace, FollowUp, Queryable, Statement, Transaction } from './transaction';
import { readingScopes } from './replicas/reading-scope';
import type { QueryConfig } from './pipeline';
import { ReadBatcher } from './read-batcher';
import { holdingConnection, refuseSecondConnection } from './one-connection';
import {
  currentUnit,
  OpenTransaction,
  POSITION,
  withRetries,
  UnitOfWork,
  UNKNOWN_PLACE,
  type Begun,
  type Exclusive,
} from './unit-of-work';

export { shortRead, statement, Transaction, type Queryable, type Statement } from './transaction';

/** Access to the database: named reads on the pool, and transactions. */
@Injectable()
export class Database implements Queryable {
  private readonly log = new Logger(Database.name);

  private readonly watchers: (() => void)[] = [];

  private follower: CommitFollower | null = null;

  private readonly readBatcher = new ReadBatcher(
    () => this.pool,
    (statement) => this.alone(statement),
  );

  constructor(private readonly dataSource: DataSource) {}

  /** Reports the WAL position of every commit to `follower`, before commit watchers are notified. */
  followCommits(follower: CommitFollower): void {
    this.follower = follower;
  }

  /** Calls `watcher` after every commit of this process. Exceptions of `watcher` are ignored. */
  whenCommitted(watcher: () => void): void {
    this.watchers.push(watcher);
  }

  /**
   * A read. In a unit of work (`unit`) that has changed something, the read sees these changes. Within
   * `ReadingDatabase.during` it may run on a replica.
   */
  rows<Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const tx = currentUnit()?.current;
    if (tx) return tx.rows<Row>(sql, values);
    refuseSecondConnection(sql.name);
    return readingScopes.getStore()?.replica?.rows<Row>(sql, values) ?? this.read<Row>(sql, values);
  }

  /** For a change of one statement, which is a transaction by itself, or a part of the request's unit of work. */
  readonly autocommit: Queryable = {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []) => {
      const unit = openUnit();
      return unit ? unit.change<Row>(sql, values) : this.ownTransaction.rows<Row>(sql, values);
    },
  };

  /** A statement in a transaction of its own. */
  private readonly ownTransaction: Queryable = {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []) => {
      refuseSecondConnection(sql.name);
      const rows = this.onPool<Row>(sql, values);
      return (this.commitFollower ? rows.finally(this.followOne) : rows).finally(this.notifyWatchers);
    },
  };

  /** For writes that must remain even if the request fails: counted attempts, rows that locate files. */
  readonly outsideTransaction: Queryable = {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []) => {
      refuseSecondConnection(sql.name);
      return this.onPool<Row>(sql, values);
    },
  };

  /** Connections of this process that are busy or idle, and requests that wait for a connection. */
  get connections(): { busy: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount + this.readBatcher.pendingCount };
  }

  /** TypeORM's manager outside a transaction: reads only. */
  get manager(): EntityManager {
    const tx = currentUnit()?.current;
    if (tx) return tx.manager;
    refuseSecondConnection('EntityManager');
    return this.dataSource.manager;
  }

  /**
   * Applies all of `work` or none of it. Serialization failures and deadlocks are retried, up to three attempts, so
   * `work` must have no effects outside the database. An exception of `work` rolls back and is rethrown. In a unit of
   * work, the changes are committed with the unit.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return openUnit()?.join(work) ?? this.whole(work);
  }

  /**
   * One transaction for all changes of a request, which is the request's `unit`. The caller must end it. With
   * `exclusive` it begins once no other transaction holds that lock.
   */
  unit(exclusive: Exclusive | null = null): UnitOfWork {
    return new UnitOfWork(
      (first) => this.begin(exclusive, first),
      (works) => this.runAll(works),
    );
  }

  /** The unit of a dry run: all changes of a request, which other requests do not see. The caller must roll it back. */
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
  ): Promise<Begun<Row>> {
    refuseSecondConnection('transaction');
    for (;;) {
      const begun = await OpenTransaction.begin<Row>(
        this.dataSource,
        { account: currentAccount(), lock: exclusive?.lock ?? null, follower: this.commitFollower },
        first,
      );
      if (begun) return begun;
      await exclusive?.whenTaken();
    }
  }

  /** Jobs and commands do not read their own writes from replicas. */
  private get commitFollower(): CommitFollower | null {
    return this.follower && currentRequest.getStore() ? this.follower : null;
  }

  /** After a change of one statement. The change may be committed even if its response was lost. */
  private readonly followOne = async (): Promise<void> => {
    const [place] = await this.onPool<CommitPlace>(POSITION, []).catch(() => []);
    await this.commitFollower?.(place ?? UNKNOWN_PLACE);
  };

  private readonly notifyWatchers = (): void => this.watchers.forEach((watcher) => watcher());

  private async whole<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { result, afterwards } = await withRetries(() => this.once(work));
    await this.runAll(afterwards);
    return result;
  }

  private async once<T>(
    work: (tx: Transaction) => Promise<T>,
  ): Promise<{ result: T; afterwards: readonly FollowUp[] }> {
    const { open } = await this.begin();
    let result: T;
    try {
      result = await holdingConnection(() => work(open.tx));
    } catch (error) {
      await open.rollback();
      throw error;
    }
    await open.commit();
    return { result, afterwards: open.tx.afterwards };
  }

  /** Runs the follow-ups in the order of registration. The transaction is committed, so a failure is only logged. */
  private async runAll(followUps: readonly FollowUp[]): Promise<void> {
    this.notifyWatchers();
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
      ? timed(sql.name, () => this.readBatcher.read<Row>({ name: sql.name, text: sql.text, values }))
      : this.onPool<Row>(sql, values);
  }

  private onPool<Row extends object>(sql: Statement, values: readonly unknown[]): Promise<Row[]> {
    return timed(sql.name, () => this.alone<Row>({ name: sql.name, text: sql.text, values }));
  }

  private async alone<Row extends object>({ name, text, values = [] }: QueryConfig): Promise<Row[]> {
    return (await this.pool.query<Row>({ name, text, values: [...values] })).rows;
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

/**
 * The unit of the current request. Work that continues after the unit's end (such as deleting files) is outside of it.
 */
function openUnit(): UnitOfWork | null {
  const unit = currentUnit();
  return unit && (unit.isDry || !unit.isClosed) ? unit : null;
}
