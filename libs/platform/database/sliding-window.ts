import { wholeSecond, type Usage } from '../rate-limit/usage';
import { statement, type Queryable, type Statement } from './database';

/** A table with one row per counted key, with the moments in an array. */
interface Counted {
  /** Prefix of the statements' names, which are unique in the project. */
  readonly name: string;
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** The column with the moments, of type `timestamptz[]`. */
  readonly moments: string;
  readonly max: number;
  /** Seconds. */
  readonly window: number;
}

/**
 * A limit on the number of events in any window of the given seconds. Each key has one row. The row's lock serializes
 * parallel requests on all servers, so the limit is exact.
 */
export class SlidingWindow {
  private readonly taking: Statement;
  private readonly looking: Statement;
  private readonly counting: Statement;
  private readonly max: number;
  private readonly window: number;

  constructor({ name, table, key, moments, max, window }: Counted) {
    const columns = key.join(', ');
    const values = key.map((_, n) => `$${n + 3}`).join(', ');
    const moment = `$${key.length + 3}::timestamptz`;
    const recent = `unnest(counted.${moments}) t WHERE t > $1`;
    this.max = max;
    this.window = window;
    // When the window is full, the statement returns no row and changes nothing.
    this.taking = statement(
      `${name}_take`,
      `INSERT INTO ${table} AS counted (${columns}, ${moments}) VALUES (${values}, ARRAY[${moment}])
       ON CONFLICT (${columns}) DO UPDATE
         SET ${moments} = ARRAY(SELECT t FROM ${recent} ORDER BY t) || ${moment}
         WHERE (SELECT count(*) FROM ${recent}) < $2
       RETURNING 1`,
    );
    this.looking = statement(
      `${name}_look`,
      `SELECT (SELECT min(t) FROM ${recent}) AS oldest FROM ${table} counted
        WHERE (SELECT count(*) FROM ${recent}) >= $2 AND (${columns}) = (${values})`,
    );
    this.counting = statement(
      `${name}_count`,
      // The oldest moment that has to leave the window before there is room.
      `SELECT (SELECT count(*)::int FROM ${recent}) AS used,
              (SELECT t FROM ${recent} ORDER BY t LIMIT 1 OFFSET greatest(0, (SELECT count(*) FROM ${recent}) - $2)) AS next
         FROM ${table} counted WHERE (${columns}) = (${values})`,
    );
  }

  /** Counts one more, unless the window is full: then returns the seconds until there is room, else null. */
  async take(on: Queryable, key: readonly unknown[], now: Date): Promise<number | null> {
    const taken = await on.rows(this.taking, [...this.about(key, now), now]);
    if (taken.length > 0) return null;
    // There may be room again by now; a refused caller is asked to wait at least a second.
    return (await this.fullFor(on, key, now)) ?? 1;
  }

  /** The seconds until there is room; null if there is room now. */
  async fullFor(on: Queryable, key: readonly unknown[], now: Date): Promise<number | null> {
    const [full] = await on.rows<{ oldest: Date }>(this.looking, this.about(key, now));
    if (!full) return null;
    const seconds = Math.ceil((full.oldest.getTime() - now.getTime()) / 1000) + this.window;
    // A caller that waited for the row's lock may have read the clock before the first moment was counted; the result
    // is never longer than the window.
    return Math.min(Math.max(seconds, 1), this.window);
  }

  /** The count in the window, and when there is more room than now. */
  async usage(on: Queryable, key: readonly unknown[], now: Date): Promise<Usage> {
    const [row] = await on.rows<{ used: number; next: Date | null }>(this.counting, this.about(key, now));
    return { used: row?.used ?? 0, resetsAt: row?.next ? wholeSecond(row.next.getTime() + this.window * 1000) : null };
  }

  /** Parameters of the statements: key, start of the window, limit. */
  private about(key: readonly unknown[], now: Date): readonly unknown[] {
    return [new Date(now.getTime() - this.window * 1000), this.max, ...key];
  }
}
