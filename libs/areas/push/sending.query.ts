import { LIMITS } from '#contract/limits';
import { statement } from '#platform/database/database';
import { isBannedSql } from '../identity/account-conditions.sql';

const { push, slow_push } = LIMITS.shares;

/** A subscription with a message to send. */
export interface DueSubscription {
  readonly id: string;
  readonly user_id: string;
  readonly subscription_sealed: string;
}

/** The message of a subscription that is sent next. */
export interface OpenMessage {
  readonly notice_id: string;
  /** The number of attempts so far. */
  readonly attempts: number;
}

/**
 * Reserves, for this process, subscriptions that have a due message and whose owner is not banned. $1 is now, and the
 * reservation ends at $2. There are two lanes: at most $4 subscriptions whose push service was slow last time, and at
 * most $3 other subscriptions. Each lane also limits the reserved subscriptions of one account, including subscriptions
 * that other processes have reserved. In each lane, subscriptions that were never released (`END_RESERVATION`) come
 * first, then the other subscriptions, in the order in which they were last released.
 */
export const TAKE_DUE = statement(
  'push_take_due',
  `WITH due AS (
     SELECT s.id, s.user_id, s.is_slow, s.served_at,
            row_number() OVER (PARTITION BY s.user_id, s.is_slow ORDER BY s.served_at NULLS FIRST, s.id)
            + (SELECT count(*) FROM push_subscriptions b WHERE b.user_id = s.user_id AND b.is_slow = s.is_slow AND b.busy_until >= $1) AS of_account
       FROM push_subscriptions s JOIN users u ON u.id = s.user_id
      WHERE s.id IN (SELECT m.subscription_id FROM push_messages m WHERE m.next_attempt_at <= $1)
        AND (s.busy_until IS NULL OR s.busy_until < $1) AND NOT ${isBannedSql('u')}),
   shared AS (
     SELECT id, is_slow, row_number() OVER (PARTITION BY is_slow ORDER BY served_at NULLS FIRST, id) AS of_all
       FROM due WHERE of_account <= CASE WHEN is_slow THEN ${slow_push.account} ELSE ${push.account} END)
   UPDATE push_subscriptions t SET busy_until = $2 WHERE t.id IN (
     SELECT s.id FROM push_subscriptions s JOIN shared h ON h.id = s.id
      WHERE (s.busy_until IS NULL OR s.busy_until < $1) AND h.of_all <= CASE WHEN h.is_slow THEN $4::int ELSE $3::int END
        FOR UPDATE OF s SKIP LOCKED)
   RETURNING t.id, t.is_slow`,
);

/**
 * Whether there are subscriptions, and the time of the next attempt to send a message to a subscription whose owner is
 * not banned.
 */
export const NEXT_ATTEMPT = statement(
  'push_next_attempt',
  `SELECT EXISTS (SELECT FROM push_subscriptions) AS is_used,
          (SELECT min(m.next_attempt_at) FROM push_messages m JOIN push_subscriptions s ON s.id = m.subscription_id JOIN users u ON u.id = s.user_id
            WHERE NOT ${isBannedSql('u')}) AS next_attempt_at`,
);

/**
 * Extends the reservation of subscription $1, which ends at $3, to $2. Returns no row if the subscription has ended, if
 * its owner is banned, or if the reservation expired and another process has reserved the subscription.
 */
export const EXTEND_RESERVATION = statement(
  'push_extend_reservation',
  `UPDATE push_subscriptions s SET busy_until = $2 FROM users u
    WHERE s.id = $1 AND s.busy_until = $3 AND u.id = s.user_id AND NOT ${isBannedSql('u')} RETURNING s.id, s.user_id, s.subscription_sealed`,
);

/**
 * The oldest message of subscription $1 that is due at $2. A message that waits for a retry does not delay later
 * messages.
 */
export const OPEN_MESSAGE = statement(
  'push_open_message',
  'SELECT notice_id, attempts FROM push_messages WHERE subscription_id = $1 AND next_attempt_at <= $2 ORDER BY notice_id LIMIT 1',
);

/**
 * Releases subscription $1, whose reservation ends at $4, at $3; $2: whether its push service was slow. No effect if
 * another process has reserved the subscription.
 */
export const END_RESERVATION = statement(
  'push_end_reservation',
  'UPDATE push_subscriptions SET busy_until = NULL, is_slow = $2, served_at = $3 WHERE id = $1 AND busy_until = $4',
);

/** Deletes a message that was accepted or will not be sent any more. */
export const DELETE_MESSAGE = statement(
  'push_delete_message',
  'DELETE FROM push_messages WHERE notice_id = $1 AND subscription_id = $2',
);

/**
 * Counts a failed attempt to send message $1 to subscription $2, and sets the time $3 of the next attempt. No effect if
 * the number of attempts is no longer $4, because another process has also made an attempt.
 */
export const TRY_LATER = statement(
  'push_try_later',
  'UPDATE push_messages SET attempts = attempts + 1, next_attempt_at = $3 WHERE notice_id = $1 AND subscription_id = $2 AND attempts = $4',
);

/**
 * Deletes subscription $1 with its messages, because it has ended at its push service or can no longer be decrypted. No
 * effect if its content is no longer $2: the browser has subscribed again.
 */
export const DROP_SUBSCRIPTION = statement(
  'push_drop_subscription',
  `WITH ended AS (DELETE FROM push_subscriptions WHERE id = $1 AND subscription_sealed = $2 RETURNING id)
   DELETE FROM push_messages WHERE subscription_id IN (SELECT id FROM ended)`,
);
