import { Injectable } from '@nestjs/common';
import { statement, type Queryable, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import type { Usage } from '#platform/database/usage';
import { Clock } from '#platform/time/clock';
import { pragueDay, secondsUntilPragueMidnight } from '#platform/time/prague';
import { DAILY_LIMITS, type DailyLimit } from './daily-limits';

/**
 * Counts one use in the row of the user, kind and day; concurrent requests wait for the lock of this row. Returns no
 * row if the limit is reached.
 */
const TAKE_SLOT = statement(
  'quotas_take_slot',
  `INSERT INTO daily_counters AS c (user_id, kind, day, taken) VALUES ($1, $2, $3, 1)
   ON CONFLICT (user_id, kind, day) DO UPDATE SET taken = c.taken + 1 WHERE c.taken < $4
   RETURNING taken`,
);

const COUNT_TAKEN_SLOTS = statement(
  'quotas_count_taken',
  'SELECT taken FROM daily_counters WHERE user_id = $1 AND kind = $2 AND day = $3',
);

/** Counts uses of the daily limits. A day begins at midnight in Prague (EVT-18, PULS-7). */
@Injectable()
export class QuotasCommands {
  constructor(private readonly clock: Clock) {}

  /**
   * Counts one use for today in the transaction of the calling code. A rollback undoes the count; deleting the created
   * object does not. Throws the limit's refusal, with the seconds until Prague midnight, if the limit is reached.
   */
  async take(tx: Transaction, limit: DailyLimit, userId: number): Promise<void> {
    const now = this.clock.now();
    const { perDay, refusal } = DAILY_LIMITS[limit];
    const taken = await tx.rows(TAKE_SLOT, [userId, limit, pragueDay(now), perDay]);
    if (taken.length === 0) throw new Refusal(refusal, { retryAfter: secondsUntilPragueMidnight(now) });
  }

  /**
   * Throws the refusal of `take` if the limit is reached, but does not count a use. Call this method before expensive
   * work.
   */
  async refuseIfExhausted(database: Queryable, limit: DailyLimit, userId: number): Promise<void> {
    const now = this.clock.now();
    const { perDay, refusal } = DAILY_LIMITS[limit];
    if ((await this.usage(database, limit, userId)).used >= perDay)
      throw new Refusal(refusal, { retryAfter: secondsUntilPragueMidnight(now) });
  }

  /** The number of uses today, and the time at which the count restarts: the next midnight in Prague. */
  async usage(database: Queryable, limit: DailyLimit, userId: number): Promise<Usage> {
    const now = this.clock.now();
    const [row] = await database.rows<{ taken: number }>(COUNT_TAKEN_SLOTS, [userId, limit, pragueDay(now)]);
    return { used: row?.taken ?? 0, resetsAt: new Date(now.getTime() + secondsUntilPragueMidnight(now) * 1000) };
  }
}
