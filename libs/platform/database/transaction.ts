import type { EntityManager } from 'typeorm';
import type { PoolClient } from 'pg';
import { timed } from './statement-channel';

/**
 * A hand-written SQL statement with a name. PostgreSQL plans it once per connection, for all values, and caches the
 * plan, because `plan_cache_mode` is set (data-source.ts). A statement therefore needs one plan that is good for all
 * values; otherwise it is split into two (docs/adr/0003-named-sql-and-entities.md). Names are unique in the project.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Variant of the statement for a standby, where it differs. */
  readonly onStandby?: string;
  /**
   * A read by keys that takes less than a millisecond for all values, so reads of several requests may share a message
   * (read-batcher.ts).
   */
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

/** Runs named statements: the pool (outside a transaction) or a transaction. */
export interface Queryable {
  rows<Row extends object>(sql: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** The WAL position of a commit: bytes, or Infinity if unknown; and whether the commit removed something from view. */
export interface CommitPlace {
  readonly position: number;
  readonly hidden: boolean;
}

/** Receives the position of every commit. */
export type CommitFollower = (place: CommitPlace) => Promise<void>;

/** Work to run after a commit. */
export type FollowUp = () => Promise<void>;

/** One open transaction: TypeORM's manager for ordinary writes, named statements, and work to run after the commit. */
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
   * Registers work to run after the commit, and never after a rollback. For effects that must not happen inside a
   * transaction (files, mail). Best effort: an effect that must happen also needs a row that a job processes.
   */
  afterCommit(work: FollowUp): void {
    this.followUps.push(work);
  }

  /** The work registered by `afterCommit`, for the caller that commits. */
  get afterwards(): readonly FollowUp[] {
    return this.followUps;
  }

  /** Drops registered work beyond the first `kept` entries, after a rollback to a savepoint. */
  forgetAfterwards(kept: number): void {
    this.followUps.length = kept;
  }
}
