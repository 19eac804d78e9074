import { wholeSecond, type Usage } from '../rate-limit/usage';
import { statement, type Queryable, type Statement } from './database';

/** A table that has one row for whom is counted, with the moments in an array. */
interface Counted {
  /** Of the statements, which have names in the whole project. */
  readonly name: string;
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** Of type `timestamptz[]`. */
  readonly moments: string;
  readonly max: number;
  /** Seconds. */
  readonly window: number;
}

/**
 * At most so many in any stretch of so many seconds. There is one row for each who is counted: its lock lets parallel takers pass
 * one by one, on every replica, so the limit is exact.
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
    // No row is answered, and nothing changes, when it is full.
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
      // Of those that are too many, or just enough, the last has to lapse before there is room.
      `SELECT (SELECT count(*)::int FROM ${recent}) AS used,
              (SELECT t FROM ${recent} ORDER BY t LIMIT 1 OFFSET greatest(0, (SELECT count(*) FROM ${recent}) - $2)) AS next
         FROM ${table} counted WHERE (${columns}) = (${values})`,
    );
  }

  /** Counts one more, unless it is full: then the seconds until there is room again, else null. */
  async take(on: Queryable, key: readonly unknown[], now: Date): Promise<number | null> {
    const taken = await on.rows(this.taking, [...this.about(key, now), now]);
    if (taken.length > 0) return null;
    // There may be room again by now; who was refused is told to wait all the same.
    return (await this.fullFor(on, key, now)) ?? 1;
  }

  /** The seconds until there is room again; null when there is room. */
  async fullFor(on: Queryable, key: readonly unknown[], now: Date): Promise<number | null> {
    const [full] = await on.rows<{ oldest: Date }>(this.looking, this.about(key, now));
    if (!full) return null;
    const seconds = Math.ceil((full.oldest.getTime() - now.getTime()) / 1000) + this.window;
    // Who waited for the row's lock may have looked at the clock before the first was counted: never more than the window.
    return Math.min(Math.max(seconds, 1), this.window);
  }

  /** How many there are in the window, and when there is more room than now. */
  async usage(on: Queryable, key: readonly unknown[], now: Date): Promise<Usage> {
    const [row] = await on.rows<{ used: number; next: Date | null }>(this.counting, this.about(key, now));
    return { used: row?.used ?? 0, resetsAt: row?.next ? wholeSecond(row.next.getTime() + this.window * 1000) : null };
  }

  /** What the statements ask with: since when, how many, whom. */
  private about(key: readonly unknown[], now: Date): readonly unknown[] {
    return [new Date(now.getTime() - this.window * 1000), this.max, ...key];
  }
}
