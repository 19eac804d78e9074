import type { EntityManager } from 'typeorm';
import type { PoolClient } from 'pg';
import { timed } from './statement-channel';

/**
 * A hand-written SQL statement with a name. PostgreSQL plans it once a connection, for all values, and keeps the plan: that is asked
 * of it by `plan_cache_mode` (data-source.ts), a name alone would not do. So a statement needs one plan that is good whatever it is
 * asked for; where there is none, there are two statements (docs/adr/0003-named-sql-and-entities.md). Names are unique in the whole project.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** How a standby is asked the same, where it has to be asked otherwise. */
  readonly onStandby?: string;
  /** A read that is done within a millisecond whatever it is asked for, by keys: it may wait for others, and others for it (read-batcher.ts). */
  readonly isShort?: boolean;
}

/** Declares a named statement: `const LIST = statement('discover_list', 'SELECT …')`. */
export function statement(name: string, text: string): Statement {
  return { name, text };
}

/** Declares a named statement that `isShort`. */
export function shortRead(name: string, text: string): Statement {
  return { name, text, isShort: true };
}

/** Anything that answers named statements: the pool (outside a transaction) or a transaction. */
export interface Queryable {
  rows<Row extends object>(sql: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** How far the log of changes had come with a commit: bytes, or Infinity where that is not known; and whether it took something out of sight. */
export interface CommitPlace {
  readonly position: number;
  readonly hidden: boolean;
}

/** Gets the place of every commit. */
export type CommitFollower = (place: CommitPlace) => Promise<void>;

/** Work for after a commit. */
export type FollowUp = () => Promise<void>;

/** One open transaction: TypeORM's manager for ordinary writes, named statements beside it, work for after the commit. */
export class Transaction implements Queryable {
  private readonly followUps: FollowUp[] = [];

  constructor(
    readonly manager: EntityManager,
    private readonly client: PoolClient,
  ) {}

  async rows<Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await timed(sql.name, () =>
      this.client.query<Row>({ name: sql.name, text: sql.text, values: [...values] }),
    );
    return rows;
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

  /** Forgets what was asked for since there were so many, for the one who rolls back to then. */
  forgetAfterwards(kept: number): void {
    this.followUps.length = kept;
  }
}
