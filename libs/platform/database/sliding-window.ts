import { wholeSecond, type Usage } from './usage';
import { statement, type Queryable, type Statement } from './database';

/**
 * A table with one row per key, such as an account. Each row contains an array with the times of the actions that were
 * counted for this key.
 */
interface WindowTable {
  /** The prefix of the statements' names, which must be unique in the project. */
  readonly name: string;
  readonly table: string;
  /** The columns of the table's primary key. */
  readonly key: readonly string[];
  /** The column with the times, of the type `timestamptz[]`. */
  readonly timestamps: string;
  /** The maximum number of actions within a window. */
  readonly max: number;
  /** The length of the window in seconds. */
  readonly window: number;
}

/**
 * Limits the number of actions of a key in any window of the given length. The lock on the row of the key serializes
 * parallel requests on all servers, so the limit is exact.
 */
export class SlidingWindow {
  private readonly takeStatement: Statement;
  private readonly fullStatement: Statement;
  private readonly fullAfterOthersStatement: Statement;
  private readonly countStatement: Statement;
  private readonly max: number;
  private readonly window: number;

  constructor({ name, table, key, timestamps, max, window }: WindowTable) {
    const columns = key.join(', ');
    const values = key.map((_, n) => `$${n + 3}`).join(', ');
    const moment = `$${key.length + 3}::timestamptz`;
    const inWindow = `unnest(counted.${timestamps}) t WHERE t > $1`;
    // The time of one action: when this action leaves the window, one more action is allowed than now. Normally, it is
    // the oldest action in the window. If the window contains more than $2 actions, because the limit was higher
    // before, it is a later action.
    const next = `(SELECT t FROM ${inWindow} ORDER BY t LIMIT 1 OFFSET greatest(0, (SELECT count(*) FROM ${inWindow}) - $2))`;
    this.max = max;
    this.window = window;
    // If the window is full, the statement changes nothing and returns no row.
    this.takeStatement = statement(
      `${name}_take`,
      `INSERT INTO ${table} AS counted (${columns}, ${timestamps}) VALUES (${values}, ARRAY[${moment}])
       ON CONFLICT (${columns}) DO UPDATE
         SET ${timestamps} = ARRAY(SELECT t FROM ${inWindow} ORDER BY t) || ${moment}
         WHERE (SELECT count(*) FROM ${inWindow}) < $2
       RETURNING 1`,
    );
    this.fullStatement = statement(
      `${name}_full`,
      `SELECT ${next} AS next FROM ${table} counted
        WHERE (SELECT count(*) FROM ${inWindow}) >= $2 AND (${columns}) = (${values})`,
    );
    this.fullAfterOthersStatement = statement(
      `${name}_full_after_others`,
      `SELECT ${next} AS next FROM (SELECT * FROM ${table} WHERE (${columns}) = (${values}) FOR UPDATE) counted
        WHERE (SELECT count(*) FROM ${inWindow}) >= $2`,
    );
    this.countStatement = statement(
      `${name}_count`,
      `SELECT (SELECT count(*)::int FROM ${inWindow}) AS used, ${next} AS next
         FROM ${table} counted WHERE (${columns}) = (${values})`,
    );
  }

  /**
   * Counts one action and returns null. If the window is full, counts nothing and returns the seconds until another
   * action is allowed.
   */
  async take(database: Queryable, key: readonly unknown[], now: Date): Promise<number | null> {
    const countedRows = await database.rows(this.takeStatement, [...this.parameters(key, now), now]);
    if (countedRows.length > 0) return null;
    // The window may have space again by now. The caller was refused, so it must wait at least one second.
    return (await this.secondsToWait(database, key, now)) ?? 1;
  }

  /** Returns the seconds until another action is allowed; null if it is allowed now. */
  async secondsToWait(database: Queryable, key: readonly unknown[], now: Date): Promise<number | null> {
    return this.secondsBy(this.fullStatement, database, key, now);
  }

  /** Like `secondsToWait`, but first waits for transactions in progress that count an action of this key. */
  async secondsToWaitAfterOthers(database: Queryable, key: readonly unknown[], now: Date): Promise<number | null> {
    return this.secondsBy(this.fullAfterOthersStatement, database, key, now);
  }

  private async secondsBy(
    sql: Statement,
    database: Queryable,
    key: readonly unknown[],
    now: Date,
  ): Promise<number | null> {
    const [full] = await database.rows<{ next: Date }>(sql, this.parameters(key, now));
    if (!full) return null;
    const seconds = Math.ceil((full.next.getTime() - now.getTime()) / 1000) + this.window;
    // If the caller has waited for the lock, `now` may be before all counted actions. So the result is limited to the
    // length of the window.
    return Math.min(Math.max(seconds, 1), this.window);
  }

  /** The number of actions in the window, and the time when one more action than now is allowed (null: no actions). */
  async usage(database: Queryable, key: readonly unknown[], now: Date): Promise<Usage> {
    const [row] = await database.rows<{ used: number; next: Date | null }>(
      this.countStatement,
      this.parameters(key, now),
    );
    return { used: row?.used ?? 0, resetsAt: row?.next ? wholeSecond(row.next.getTime() + this.window * 1000) : null };
  }

  /** Returns the parameters of the statements: start of the window, limit, key. */
  private parameters(key: readonly unknown[], now: Date): readonly unknown[] {
    return [new Date(now.getTime() - this.window * 1000), this.max, ...key];
  }
}
