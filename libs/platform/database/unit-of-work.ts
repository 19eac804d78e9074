import type { DataSource, QueryRunner } from 'typeorm';
import type { PoolClient } from 'pg';
import { LIMITS } from '#contract/limits';
import { currentRequest } from '../context/current-request';
import { hasLostWhatItRefersTo } from './availability';
import { START_TRANSACTION } from './data-source';
import { askInOneMessage, type QueryConfig } from './pipeline';
import { timed } from './statement-channel';
import {
  statement,
  Transaction,
  type CommitFollower,
  type CommitPlace,
  type FollowUp,
  type Statement,
} from './transaction';

/** PostgreSQL's "try again" answers: serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** Does the work again when PostgreSQL asks for that, or what it refers to has just gone, three times in all. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= LIMITS.transaction.attempts || !(RETRYABLE.has(codeOf(error)) || hasLostWhatItRefersTo(error)))
        throw error;
    }
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : '';
}

/** Bytes of the log of changes that a standby must have replayed to have all that was committed here; with commits that nobody waits for not all of it is written yet. */
export const POSITION = statement(
  'database_position',
  `SELECT pg_wal_lsn_diff(CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_lsn() END, '0/0')::float8 AS position,
          coalesce(current_setting('changes.hidden', true), '') = 'on' AS hidden, set_config('changes.hidden', '', false) AS again`,
);

const START = statement('start', START_TRANSACTION);
/** On whose behalf; the empty text: nobody's. */
const SET_ACTOR = statement('tell_by_whom', `SELECT set_config('changes.by', $1, true)`);
/** The same, and fails with IS_TAKEN when another transaction has the lock (migration 0295): so nothing that comes after it in the same message is done. */
const SET_ACTOR_AND_LOCK = statement(
  'tell_and_lock',
  `SELECT set_config('changes.by', $1, true), lock_transaction($2)`,
);
const IS_TAKEN = 'EV001';
const COMMIT = statement('commit', 'COMMIT');

/** What only one transaction at a time may be at, on all servers together. */
export interface Exclusive {
  /** PostgreSQL's advisory lock of that number, until the transaction ends, however that is. */
  readonly lock: bigint;
  /** Somebody else is at it: waits before the next try, or throws when there is none. No connection is held meanwhile. */
  whenTaken(): Promise<void>;
}

interface Beginning {
  /** On whose behalf; null: nobody's. What is recorded in the transaction tells of that (platform/changes). */
  readonly account?: number | null;
  readonly lock?: bigint | null;
  /** Is told of its commit, or of one whose answer was lost. */
  readonly follower?: CommitFollower | null;
}

export interface Begun<Row extends object = object> {
  readonly open: OpenTransaction;
  /** Of the statement that was asked in the same message. */
  readonly rows: Row[];
}

/** A transaction on a connection of its own, which goes back to the pool with either end. */
export class OpenTransaction {
  private constructor(
    readonly tx: Transaction,
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
    private readonly follower: CommitFollower | null,
  ) {}

  /**
   * → null when `lock` is taken
   * @param first is asked in the same message: it is done in the transaction, and only once that has the lock. When it fails nothing has begun
   */
  static async begin<Row extends object>(
    dataSource: DataSource,
    { account = null, lock = null, follower = null }: Beginning = {},
    first: QueryConfig | null = null,
  ): Promise<Begun<Row> | null> {
    const runner = dataSource.createQueryRunner();
    const open = await runner.connect().then(
      (client: PoolClient) => new OpenTransaction(new Transaction(runner.manager, client), runner, client, follower),
      async (error: unknown) => {
        await runner.release();
        throw error;
      },
    );
    try {
      const begins = beginning(account, lock);
      const rows = first
        ? await timed(first.name, () => askInOneMessage<Row>(open.client, [...begins, first]))
        : await askInOneMessage<Row>(open.client, begins);
      // What TypeORM is asked to store belongs to it.
      Object.assign(runner, { isTransactionActive: true });
      return { open, rows };
    } catch (error) {
      await open.rollback();
      if (codeOf(error) === IS_TAKEN) return null;
      throw error;
    }
  }

  /** @param last goes before the commit in the same message: when it fails, nothing has happened */
  async commit(last: QueryConfig | null = null): Promise<void> {
    let place = UNKNOWN_PLACE;
    try {
      if (last) await timed(last.name, () => askInOneMessage(this.client, [last, COMMIT]));
      else await this.client.query(COMMIT.text);
      if (this.follower) place = await placeOf(this.client);
      Object.assign(this.runner, { isTransactionActive: false });
      await this.runner.release();
    } catch (error) {
      await this.rollback();
      throw error;
    } finally {
      await this.follower?.(place);
    }
  }

  async rollback(): Promise<void> {
    try {
      await this.client.query('ROLLBACK');
    } catch {
      // A broken connection cannot roll back; the server has done so itself.
    }
    Object.assign(this.runner, { isTransactionActive: false });
    await this.runner.release();
  }
}

/** What is nobody's says no more than that it begins, so it may still say how it is isolated. */
function beginning(account: number | null, lock: bigint | null): QueryConfig[] {
  if (lock !== null) return [START, { ...SET_ACTOR_AND_LOCK, values: [account ?? '', lock] }];
  return account === null ? [START] : [START, { ...SET_ACTOR, values: [account] }];
}

/** Of a commit whose answer was lost, or that was not asked about. It stands, as far as is known. */
export const UNKNOWN_PLACE: CommitPlace = { position: Infinity, hidden: false };

async function placeOf(client: PoolClient): Promise<CommitPlace> {
  const { rows } = await client
    .query<CommitPlace & object>({ name: POSITION.name, text: POSITION.text })
    .catch(() => ({ rows: [] }));
  return rows[0] ?? UNKNOWN_PLACE;
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
    private readonly begin: <Row extends object>(first?: QueryConfig) => Promise<Begun<Row>>,
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
    return withRetries(() => (this.open ? within(this.open.tx, work) : this.first(work)));
  }

  /** A change that is one statement. */
  change<Row extends object>(sql: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.open ? this.open.tx.rows<Row>(sql, values) : withRetries(() => this.beginWith<Row>({ ...sql, values }));
  }

  /**
   * Ends it: commits with `last` as the last thing in it, in the same message, and does what was asked for after the commit. When
   * anything throws, nothing has happened.
   */
  async commitWith(last: Statement, values: readonly unknown[]): Promise<void> {
    try {
      if (!this.open) await this.join(async () => undefined);
      const open = this.open;
      this.open = null;
      this.closed = true;
      await open?.commit({ ...last, values });
      await this.followUp(open?.tx.afterwards ?? []);
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

  private async beginWith<Row extends object>(first: QueryConfig): Promise<Row[]> {
    const { open, rows } = await this.begin<Row>(first);
    this.open = open;
    return rows;
  }

  private async first<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
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

/** That of the request in whose course something is done, wherever that is. */
export function currentUnit(): UnitOfWork | null {
  return currentRequest.getStore()?.unit ?? null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What all its transactions are one of; null: each is for itself. */
    unit: UnitOfWork | null;
  }
}
