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

/** The way to the database: named reads on the pool, and transactions. */
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

  /** Tells `follower` of every commit how far the log of changes had come with it, before anybody is told that it was committed. */
  followCommits(follower: CommitFollower): void {
    this.follower = follower;
  }

  /** Calls `watcher` whenever something was committed here; what it throws is nobody's. */
  whenCommitted(watcher: () => void): void {
    this.watchers.push(watcher);
  }

  /** A read; in a unit of work (`unit`) that has changed something, as that one sees it. Within `ReadingDatabase.during` it may be a replica's. */
  rows<Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const tx = currentUnit()?.current;
    if (tx) return tx.rows<Row>(sql, values);
    refuseSecondConnection(sql.name);
    return readingScopes.getStore()?.replica?.rows<Row>(sql, values) ?? this.read<Row>(sql, values);
  }

  /** For a change that is one statement: a transaction of its own. */
  readonly autocommit: Queryable = {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []) => {
      const unit = openUnit();
      return unit ? unit.change<Row>(sql, values) : this.ownTransaction.rows<Row>(sql, values);
    },
  };

  /** A statement that is a transaction. */
  private readonly ownTransaction: Queryable = {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []) => {
      refuseSecondConnection(sql.name);
      const rows = this.onPool<Row>(sql, values);
      return (this.told ? rows.finally(this.followOne) : rows).finally(this.notifyWatchers);
    },
  };

  /** For what stays whatever becomes of the request: attempts that are counted, files that have to be found again. */
  readonly outsideTransaction: Queryable = {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []) => {
      refuseSecondConnection(sql.name);
      return this.onPool<Row>(sql, values);
    },
  };

  /** Connections of this process that work, that wait for work, and requests that wait for a connection. */
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
   * Everything in `work` happens or nothing does. Serialization failures and deadlocks are tried again, three times
   * in all, so `work` must have no effect but on the database. What it throws rolls back and is thrown on.
   * In a unit of work it is committed with that.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return openUnit()?.join(work) ?? this.whole(work);
  }

  /**
   * One transaction for all that is asked for in the course of a request whose `unit` it is. Whoever makes it ends it.
   * With `exclusive` it begins when nobody else is at that.
   */
  unit(exclusive: Exclusive | null = null): UnitOfWork {
    return new UnitOfWork(
      (first) => this.begin(exclusive, first),
      (works) => this.runAll(works),
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
        { account: currentAccount(), lock: exclusive?.lock ?? null, follower: this.told },
        first,
      );
      if (begun) return begun;
      await exclusive?.whenTaken();
    }
  }

  /** Nobody reads what jobs and commands have written as their own. */
  private get told(): CommitFollower | null {
    return this.follower && currentRequest.getStore() ? this.follower : null;
  }

  /** After a change that is one statement; where its answer is lost it may be committed all the same. */
  private readonly followOne = async (): Promise<void> => {
    const [place] = await this.onPool<CommitPlace>(POSITION, []).catch(() => []);
    await this.told?.(place ?? UNKNOWN_PLACE);
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

  /** One after the other, in the order of asking. The transaction stands, so a failure is only logged. */
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

/** The unit in whose course this is asked; what goes on after its end (files let go of, say) is for itself. */
function openUnit(): UnitOfWork | null {
  const unit = currentUnit();
  return unit && !unit.isClosed ? unit : null;
}
