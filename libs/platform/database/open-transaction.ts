import type { DataSource, QueryRunner } from 'typeorm';
import type { PoolClient } from 'pg';
import { codeOf } from '../text/reason';
import { START_TRANSACTION } from './data-source';
import { queryAllInOneMessage, queryInOneMessage, type QueryConfig } from './pipeline';
import { withTiming } from './statement-channel';
import { statement, Transaction, type CommitFollower, type CommitPosition } from './transaction';

/**
 * The WAL position that a standby must have replayed to have all commits of this server. With asynchronous commits a
 * part of the WAL is not written yet, so the position is the insert position.
 */
export const POSITION = statement(
  'database_position',
  `SELECT pg_wal_lsn_diff(CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_lsn() END, '0/0')::float8 AS position`,
);
/**
 * Whether the transaction hides or deletes content that was visible before (`notify_out_of_sight` in
 * sql/functions.sql).
 */
const HIDDEN = statement('hidden', `SELECT coalesce(current_setting('changes.hidden', true), '') = 'on' AS hidden`);

const START = statement('start', START_TRANSACTION);
/** Sets the acting account. */
const SET_ACTOR = statement('set_acting_account', `SELECT set_config('changes.by', $1, true)`);
/**
 * Sets the acting account (an empty text means no account) and takes the lock. Fails with LOCK_IS_TAKEN if another
 * transaction has the lock (lock_transaction in sql/functions.sql); PostgreSQL then skips the rest of the message.
 */
const SET_ACTOR_AND_LOCK = statement(
  'set_acting_account_and_lock',
  `SELECT set_config('changes.by', $1, true), lock_transaction($2)`,
);
const LOCK_IS_TAKEN = 'EV001';
const COMMIT = statement('commit', 'COMMIT');

/** A lock that only one transaction on all servers can hold at a time. */
export interface Exclusive {
  /**
   * The number of the advisory lock in PostgreSQL. The lock is held until the transaction is committed or rolled back.
   */
  readonly lock: bigint;
  /**
   * Called if another transaction has the lock. The function waits before the next attempt, or throws if there is no
   * further attempt. No connection is held in the meantime.
   */
  whenHeldByAnother(): Promise<void>;
}

interface BeginOptions {
  /**
   * The acting account; null for none. The entries that this transaction adds to the feed of changes contain the
   * account (platform/changes).
   */
  readonly account?: number | null;
  readonly lock?: bigint | null;
  /** Called with the position after each attempt to commit; the position is Infinity if it is not known. */
  readonly follower?: CommitFollower | null;
}

export interface BegunTransaction<Row extends object = object> {
  readonly open: OpenTransaction;
  /** The rows of the statement that was sent in the same message as BEGIN. */
  readonly rows: Row[];
}

/** A transaction on a separate connection, which returns to the pool when the transaction ends. */
export class OpenTransaction {
  private constructor(
    readonly tx: Transaction,
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
    private readonly follower: CommitFollower | null,
  ) {}

  /**
   * @param first is sent in the same message as BEGIN. `first` runs in the transaction after the lock was taken. If
   * `first` fails, the transaction is rolled back.
   *
   * @returns null if another transaction has `lock`
   */
  static async begin<Row extends object>(
    dataSource: DataSource,
    { account = null, lock = null, follower = null }: BeginOptions = {},
    first: QueryConfig | null = null,
  ): Promise<BegunTransaction<Row> | null> {
    const runner = dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    const open = new OpenTransaction(new Transaction(runner.manager, client), runner, client, follower);
    try {
      const beginSql = beginStatements(account, lock);
      const rows = first
        ? await withTiming(first.name, () => queryInOneMessage<Row>(open.client, [...beginSql, first]))
        : await queryInOneMessage<Row>(open.client, beginSql);
      // Without this flag, TypeORM would begin another transaction for its writes.
      Object.assign(runner, { isTransactionActive: true });
      return { open, rows };
    } catch (error) {
      await open.rollback();
      if (codeOf(error) === LOCK_IS_TAKEN) return null;
      throw error;
    }
  }

  /**
   * @param last is sent in the same message as COMMIT and runs before COMMIT. If `last` fails, nothing is committed.
   */
  async commit(last: QueryConfig | null = null): Promise<void> {
    // If the response to the commit is lost, the transaction is assumed to be committed.
    let position: CommitPosition = { position: Infinity, hidden: false };
    try {
      if (this.follower) position = await this.commitAndReadPosition(last);
      else if (last) await withTiming(last.name, () => queryInOneMessage(this.client, [last, COMMIT]));
      else await this.client.query(COMMIT.text);
      Object.assign(this.runner, { isTransactionActive: false });
      await this.runner.release();
    } catch (error) {
      await this.rollback();
      throw error;
    } finally {
      await this.follower?.(position);
    }
  }

  /**
   * `hidden` is read in the same message as COMMIT, because with a pooler in transaction mode the next statement may
   * use another session.
   */
  private async commitAndReadPosition(last: QueryConfig | null): Promise<CommitPosition> {
    const send = (): Promise<object[][]> =>
      queryAllInOneMessage(this.client, [...(last ? [last] : []), HIDDEN, COMMIT]);
    const answers = (await (last ? withTiming(last.name, send) : send())) as { hidden: boolean }[][];
    const { rows } = await this.client
      .query<{ position: number }>({ name: POSITION.name, text: POSITION.text })
      .catch(() => ({ rows: [] }));
    return { position: rows[0]?.position ?? Infinity, hidden: answers.at(-2)?.[0]?.hidden === true };
  }

  async rollback(): Promise<void> {
    try {
      await this.client.query('ROLLBACK');
    } catch {
      // The connection is broken, so the server has already rolled back.
    }
    Object.assign(this.runner, { isTransactionActive: false });
    await this.runner.release();
  }
}

/**
 * Returns the statements that begin a transaction. If there is no acting account and no lock, only START TRANSACTION is
 * returned. Then no query runs before the work of the transaction, so the work can still set the isolation level.
 */
function beginStatements(account: number | null, lock: bigint | null): QueryConfig[] {
  if (lock !== null) return [START, { ...SET_ACTOR_AND_LOCK, values: [account ?? '', lock] }];
  return account === null ? [START] : [START, { ...SET_ACTOR, values: [account] }];
}
