import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Queryable, Transaction } from '#platform/database/database';
import { SlidingWindow } from '#platform/database/sliding-window';
import { Refusal } from '#platform/http/refusal';
import type { Usage } from '#platform/database/usage';
import { Clock } from '#platform/time/clock';

const COMMENTS_SENT = new SlidingWindow({
  name: 'comments_rate',
  table: 'comment_rates',
  key: ['user_id'],
  timestamps: 'sent_at',
  ...LIMITS.comments.per_user,
});

/** A user may write at most 10 comments in any minute (CMT-9). */
@Injectable()
export class CommentRate {
  constructor(private readonly clock: Clock) {}

  /**
   * Counts a comment in the transaction of the calling code. A rollback undoes the count; a later deletion of the
   * comment does not. If the limit is reached, throws 429 `rate_limited` with the seconds until the next comment is
   * allowed.
   */
  async countComment(tx: Transaction, userId: number): Promise<void> {
    const retryAfter = await COMMENTS_SENT.take(tx, [userId], this.clock.now());
    if (retryAfter !== null) throw new Refusal('rate_limited', { retryAfter });
  }

  /** Throws the same 429 if the limit is reached, but counts no comment. Called before a picture is decoded. */
  async refuseWhenFull(database: Queryable, userId: number): Promise<void> {
    const retryAfter = await COMMENTS_SENT.secondsToWait(database, [userId], this.clock.now());
    if (retryAfter !== null) throw new Refusal('rate_limited', { retryAfter });
  }

  async usage(database: Queryable, userId: number): Promise<Usage> {
    return COMMENTS_SENT.usage(database, [userId], this.clock.now());
  }
}
