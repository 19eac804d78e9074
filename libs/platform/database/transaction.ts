import type { EntityManager } from 'typeorm';
import type { PoolClient } from 'pg';
import { withTiming } from './statement-channel';

/**
 * A hand-written SQL statement with a name. On each connection for requests, PostgreSQL plans the statement once for
 * all values and caches the plan, because `plan_cache_mode` is set (data-source.ts). This plan must therefore be good
 * for all values; if this is not possible, there are two statements (docs/adr/0003-named-sql-and-entities.md). Behind a
 * pooler, PostgreSQL plans at each execution. Names are unique in the project.
 */
export interface Statement {
  /** '' for a statement that PostgreSQL plans at each execution, without storing the plan. */
  readonly name: string;
  readonly text: string;
  /** The text to use on a standby, if it is different. */
  readonly onStandby?: string;
  /**
   * Whether the statement reads by keys and takes less than a millisecond for all values. Such reads of several
   * requests may be sent in one message (read-batcher.ts).
   */
  readonly isShort?: boolean;
}

/** PostgreSQL compares only this number of bytes of a name. */
const MAX_NAME_BYTES = 63;

/** The texts of all statements, by name. A connection cannot run two different statements with the same name. */
const texts = new Map<string, string>();

/** Declares a named statement: `const LIST = statement('discover_list', 'SELECT …')`. */
export function statement(name: string, text: string): Statement {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`The name of statement ${name} is too long.`);
  if ((texts.get(name) ?? text) !== text) throw new Error(`Two statements have the name ${name}.`);
  texts.set(name, text);
  return { name, text };
}

/** Declares a named statement with `isShort`. */
export function shortRead(name: string, text: string): Statement {
  return { ...statement(name, text), isShort: true };
}

/** The texts of the statements that the loaded modules declare, by name (scripts/distribution.mjs). */
export function statementTexts(): ReadonlyMap<string, string> {
  return texts;
}

/** Runs named statements: in a transaction, or outside a transaction on the pool. */
export interface Queryable {
  rows<Row extends object>(sql: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * The WAL position of a commit (in bytes; Infinity if unknown). `hidden`: whether the commit has hidden something that
 * readers could see; a replica is then not used for reads until it has replayed this commit (OPS-82).
 */
export interface CommitPosition {
  readonly position: number;
  readonly hidden: boolean;
}

/** A function that is called after attempts to commit. `Database.followCommits` describes after which attempts. */
export type CommitFollower = (commit: CommitPosition) => Promise<void>;

/** Work that runs after the commit. */
export type FollowUp = () => Promise<void>;

/**
 * One open transaction: TypeORM's manager for ordinary writes, named statements, and work that runs after the commit.
 */
export class Transaction implements Queryable {
  private readonly followUps: FollowUp[] = [];

  constructor(
    readonly manager: EntityManager,
    private readonly client: PoolClient,
  ) {}

  async rows<Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await withTiming(sql.name, () =>
      this.client.query<Row>({ name: sql.name, text: sql.text, values: [...values] }),
    );
    return rows;
  }

  /**
   * Registers work that runs after the commit, and does not run after a rollback. Use this method for effects outside
   * the database (files, mail). The work is lost if the process dies after the commit. If this must not happen, also
   * insert a row that a job processes.
   */
  afterCommit(work: FollowUp): void {
    this.followUps.push(work);
  }

  /** The work that was registered by `afterCommit`. The code that commits the transaction runs it. */
  get registeredFollowUps(): readonly FollowUp[] {
    return this.followUps;
  }

  /** Drops the registered work after the first `count` entries. Called after a rollback to a savepoint. */
  dropFollowUpsAfter(count: number): void {
    this.followUps.length = count;
  }
}
