import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { statement, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';

const { max, window } = LIMITS.comments.per_user;

/**
 * One row per user: its lock lets parallel comments of one user pass one by one, on every replica. No row is answered, and
 * nothing changes, when $4 were sent since $3.
 */
const TAKE = statement(
  'comments_rate_take',
  `INSERT INTO comment_rates AS r (user_id, sent_at) VALUES ($1, ARRAY[$2::timestamptz])
   ON CONFLICT (user_id) DO UPDATE
     SET sent_at = array(SELECT t FROM unnest(r.sent_at) t WHERE t > $3 ORDER BY t) || $2::timestamptz
     WHERE (SELECT count(*) FROM unnest(r.sent_at) t WHERE t > $3) < $4
   RETURNING user_id`,
);

/** When the first of the latest was sent. */
const OLDEST = statement('comments_rate_oldest', 'SELECT min(t) AS oldest FROM comment_rates, unnest(sent_at) t WHERE user_id = $1 AND t > $2');

/** 10 comments per user in any minute (api-spec, "Limits"). */
@Injectable()
export class CommentRate {
  constructor(private readonly clock: Clock) {}

  /**
   * Counts one more comment in the caller's transaction: a rollback takes it back, deleting the comment does not.
   * 429 `rate_limited`, with the seconds after which one more may be sent.
   */
  async take(tx: Transaction, userId: number): Promise<void> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - window * 1000);
    const taken = await tx.rows(TAKE, [userId, now, since, max]);
    if (taken.length > 0) return;
    const [first] = await tx.rows<{ oldest: Date }>(OLDEST, [userId, since]);
    throw new Refusal('rate_limited', { retryAfter: secondsUntilFree(first?.oldest ?? now, now) });
  }
}

/** Who waited for the row's lock may have looked at the clock before the first was sent: never more than the window. */
function secondsUntilFree(oldest: Date, now: Date): number {
  const seconds = Math.ceil((oldest.getTime() - now.getTime()) / 1000) + window;
  return Math.min(Math.max(seconds, 1), window);
}
