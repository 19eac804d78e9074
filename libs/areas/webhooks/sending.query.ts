import type { ChangeType } from '#contract/changes';
import { LIMITS } from '#contract/limits';
import type { Scope } from '#contract/scopes';
import { statement } from '#platform/database/database';
import { isBannedSql, isOfSuspendedAppSql } from '../identity/account-conditions.sql';

const { webhooks, slow_webhooks } = LIMITS.shares;

/** A webhook that this process has reserved, and the current state of its owner. */
export interface ReservedWebhook {
  readonly id: string;
  readonly user_id: string;
  readonly url: string;
  readonly types: ChangeType[] | null;
  /** Only changes that can be read with these scopes are sent. */
  readonly scopes: Scope[];
  readonly status: 'active' | 'paused';
  readonly secret_sealed: string;
  readonly former_secret_sealed: string | null;
  readonly rotated_at: Date | null;
  readonly position: string;
  readonly sent_cursor: string | null;
  readonly banned: boolean;
  readonly premium_until: Date | null;
  readonly verified: boolean;
  readonly admin: boolean;
}

const WEBHOOK_COLUMNS = `w.id, w.user_id, w.url, w.types, w.scopes, w.status, w.secret_sealed, w.former_secret_sealed, w.rotated_at, w.position, w.sent_cursor,
     ${isBannedSql('u')} AS banned, u.premium_until, u.verified, u.admin`;

/**
 * SQL: whether messages may be sent for webhook `w` of the owner `u`. False if the owner is banned or has no Premium,
 * or if the webhook belongs to a suspended app. Here, verified accounts and admins count as accounts with Premium.
 */
function maySendSql(now: string): string {
  return `NOT ${isBannedSql('u')} AND (u.verified OR u.admin OR u.premium_until > ${now})
    AND NOT ${isOfSuspendedAppSql('w.grant_id')}`;
}

/**
 * SQL: the times of the next attempts for webhook `w`. `requested`: for test messages and repetitions, which the owner
 * has requested. `regular`: for the message that waits for its next regular attempt.
 */
const OPEN_ATTEMPTS = `SELECT min(d.next_attempt_at) FILTER (WHERE d.is_asked) AS requested, min(d.next_attempt_at) FILTER (WHERE NOT d.is_asked AND NOT d.is_test) AS regular
                FROM webhook_deliveries d WHERE d.webhook_id = w.id AND (d.status = 'pending' OR d.is_asked)`;
/** SQL: whether no process has reserved webhook `w` at $1. */
const IS_FREE = '(w.busy_until IS NULL OR w.busy_until < $1)';
/** SQL: whether webhook `w` has work at $1 (`TAKE_DUE`); `open` is the result of `OPEN_ATTEMPTS`. */
const IS_DUE = `(open.requested IS NOT NULL
             OR w.status = 'active' AND (open.regular <= $1
               OR open.regular IS NULL AND w.seen_number < (SELECT last_number FROM change_feed)))`;

/**
 * SQL: whether the webhook `w` is active, has no waiting message, and last read the feed before $5 (or was created
 * before $5, if it has never read the feed). Reading the feed again moves the position of the webhook forward, so that
 * the position does not become older than the stored entries.
 */
const IS_IDLE = `(w.status = 'active' AND open.regular IS NULL AND coalesce(w.read_at, w.created_at) < $5)`;

/**
 * Reserves, for this process, webhooks that have work. $1 is now; the reservation ends at $2. A webhook has work if its
 * owner requested an attempt. An active webhook also has work if its waiting message is due. If no message waits, an
 * active webhook has work if it has not read all entries of the feed, or if it last read the feed before $5.
 *
 * There are two lanes: at most $4 webhooks whose receiver was slow last time, and at most $3 other webhooks. Each lane
 * also limits the reserved webhooks of one account, including webhooks that other processes have reserved. In each
 * lane, webhooks that were never released (`END_RESERVATION`) come first, then the other webhooks, in the order in
 * which they were last released.
 */
export const TAKE_DUE = statement(
  'webhooks_take_due',
  `WITH due AS (
     SELECT w.id, w.user_id, w.is_slow, w.served_at,
            row_number() OVER (PARTITION BY w.user_id, w.is_slow ORDER BY w.served_at NULLS FIRST, w.id)
            + (SELECT count(*) FROM webhooks b WHERE b.user_id = w.user_id AND b.is_slow = w.is_slow AND b.busy_until >= $1) AS of_account
       FROM webhooks w JOIN users u ON u.id = w.user_id
      CROSS JOIN LATERAL (${OPEN_ATTEMPTS}) open
      WHERE ${IS_FREE} AND ${maySendSql('$1')} AND (${IS_DUE} OR ${IS_IDLE})),
   shared AS (
     SELECT id, is_slow, row_number() OVER (PARTITION BY is_slow ORDER BY served_at NULLS FIRST, id) AS of_all
       FROM due WHERE of_account <= CASE WHEN is_slow THEN ${slow_webhooks.account} ELSE ${webhooks.account} END)
   UPDATE webhooks t SET busy_until = $2 WHERE t.id IN (
     SELECT w.id FROM webhooks w JOIN shared s ON s.id = w.id
      WHERE (w.busy_until IS NULL OR w.busy_until < $1) AND s.of_all <= CASE WHEN s.is_slow THEN $4::int ELSE $3::int END
        FOR UPDATE OF w SKIP LOCKED)
   RETURNING t.id, t.is_slow`,
);

/**
 * Counts at time $1 the webhooks for which messages may be sent. `waiting`: webhooks that have work and wait for a
 * reservation. `active`: webhooks that a process has reserved. `retrying`: webhooks that wait for a further attempt.
 * `oldest`: when the longest wait of the webhooks in `waiting` began. A wait begins when the work becomes due, but not
 * before the last reservation ended, so the time that a receiver needs does not count.
 */
export const QUEUE = statement(
  'webhooks_queue',
  `SELECT count(*) FILTER (WHERE is_free AND is_due)::int AS waiting, count(*) FILTER (WHERE NOT is_free)::int AS active,
          count(*) FILTER (WHERE retries)::int AS retrying, min(greatest(since, served_at)) FILTER (WHERE is_free AND is_due) AS oldest
     FROM (SELECT w.served_at, ${IS_FREE} AS is_free, ${IS_DUE} AS is_due, w.status = 'active' AND coalesce(open.regular > $1, false) AS retries,
                  coalesce(open.requested, open.regular, (SELECT c.at FROM changes c WHERE c.id > w.seen_number ORDER BY c.id LIMIT 1)) AS since
             FROM webhooks w JOIN users u ON u.id = w.user_id CROSS JOIN LATERAL (${OPEN_ATTEMPTS}) open WHERE ${maySendSql('$1')}) of_all
   HAVING count(*) > 0`,
);

/** The number of messages that were given up and are still stored. */
export const COUNT_FAILED = statement(
  'webhooks_count_failed',
  "SELECT count(*)::int AS failed FROM webhook_deliveries WHERE status = 'failed'",
);

/**
 * Whether there are active webhooks, and the time of the next attempt for a webhook for which messages may be sent now
 * (`maySendSql`). $1 is the current time. `is_used` also counts the other active webhooks: a commit can make sending
 * possible again, for example when a moderator ends a ban, so the sender must listen to commits for these webhooks too.
 */
export const NEXT_ATTEMPT = statement(
  'webhooks_next_attempt',
  `SELECT EXISTS (SELECT FROM webhooks WHERE status = 'active') AS is_used,
          (SELECT min(d.next_attempt_at) FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id JOIN users u ON u.id = w.user_id
            WHERE (d.status = 'pending' OR d.is_asked) AND (d.is_asked OR NOT d.is_test AND w.status = 'active')
              AND ${maySendSql('$1')}) AS next_attempt_at`,
);

/**
 * Extends the reservation of webhook $1, which ends at $4, to $2, and returns the current state. Returns no row if the
 * webhook was deleted, if nothing may be sent (`maySendSql`), or if the reservation expired and another process has
 * reserved the webhook. $3 is now.
 */
export const EXTEND_RESERVATION = statement(
  'webhooks_extend_reservation',
  `UPDATE webhooks w SET busy_until = $2 FROM users u
    WHERE w.id = $1 AND w.busy_until = $4 AND u.id = w.user_id AND ${maySendSql('$3')} RETURNING ${WEBHOOK_COLUMNS}`,
);

/**
 * Releases webhook $1, whose reservation ends at $4, at $3; $2: whether its receiver was slow. No effect if another
 * process has reserved the webhook.
 */
export const END_RESERVATION = statement(
  'webhooks_end_reservation',
  'UPDATE webhooks SET busy_until = NULL, is_slow = $2, served_at = $3 WHERE id = $1 AND busy_until = $4',
);

export interface OpenDelivery {
  readonly id: string;
  readonly message_id: string;
  readonly body: string;
  readonly is_test: boolean;
  /** Whether the owner has requested the next attempt: a test message, or a repetition. */
  readonly is_asked: boolean;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly first_attempt_at: Date | null;
  readonly next_attempt_at: Date | null;
}

/** The next delivery of webhook $1: first a requested delivery, then the waiting delivery. */
export const OPEN_DELIVERY = statement(
  'webhooks_open_delivery',
  `SELECT id, message_id, body, is_test, is_asked, status, attempts, first_attempt_at, next_attempt_at FROM webhook_deliveries
    WHERE webhook_id = $1 AND (is_asked OR status = 'pending' AND NOT is_test) ORDER BY is_asked DESC, id LIMIT 1`,
);

/**
 * Stores the result of an attempt to send delivery $1 (`webhook_deliveries.id`): $2 status of the delivery, $3 status
 * code, $4 duration in milliseconds, $5 beginning of the response, $6 start of the attempt, $7 time of the next
 * attempt. $8 (status), $9 (`is_asked`) and $10 (`next_attempt_at`) are the values before the attempt. If they have
 * changed during the attempt, `is_unchanged` is false: the owner has activated the webhook again, so the delivery was
 * given up, or the owner has requested another attempt. Then this plan of the owner is kept; only the status
 * `delivered` is still stored.
 */
export const STORE_RESULT = statement(
  'webhooks_store_result',
  `WITH before AS (SELECT status = $8 AND is_asked = $9 AND next_attempt_at IS NOT DISTINCT FROM $10 AS is_unchanged
                     FROM webhook_deliveries WHERE id = $1 FOR UPDATE)
   UPDATE webhook_deliveries d SET attempts = attempts + 1, last_status = $3, last_ms = $4, answer = $5,
          first_attempt_at = coalesce(first_attempt_at, $6),
          status = CASE WHEN is_unchanged OR $2 = 'delivered' THEN $2 ELSE status END,
          next_attempt_at = CASE WHEN is_unchanged THEN $7 ELSE next_attempt_at END, is_asked = is_asked AND NOT is_unchanged
     FROM before WHERE d.id = $1 RETURNING is_unchanged`,
);

/** Gives up delivery $1, because the webhook's owner no longer sees the change in the message. */
export const DROP_HIDDEN = statement(
  'webhooks_drop_hidden',
  "UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, is_asked = false WHERE id = $1",
);

/**
 * Stores that the feed of webhook $1 was read at $4 up to cursor $2. $3: the last number of the feed at that time if
 * all entries were read, otherwise 0. With 0, `seen_number` does not change, so the webhook still has work (`IS_DUE`).
 * No effect if the stored cursor is no longer $5. Only servers of the previous release use `news_at`.
 */
export const READ_TO = statement(
  'webhooks_read_to',
  `UPDATE webhooks SET position = $2, read_at = $4, news_at = CASE WHEN seen_number < $3 THEN $4 ELSE news_at END, seen_number = greatest(seen_number, $3)
    WHERE id = $1 AND position = $5 RETURNING id`,
);

/**
 * Inserts the next message of webhook $1 at $5: $2 `message_id`, $3 body. Also stores that the feed was read up to
 * cursor $4. Returns no row if the stored cursor is no longer $6, if the webhook is paused, or if nothing may be sent
 * (`maySendSql`). Also returns no row if one of the people with the slugs $9 was erased or changed the slug after the
 * message was made: the locks of these people let the erasure of a person either find the message or prevent it
 * (DATA-19). The same statement extends the reservation, which ends at $8, until $7, because a separate statement would
 * need one more commit per message.
 */
export const NEXT_MESSAGE = statement(
  'webhooks_next_message',
  `WITH people AS (SELECT id FROM users WHERE slug = ANY($9::text[]) ORDER BY id FOR KEY SHARE),
        moved AS (UPDATE webhooks w SET position = $4, sent_cursor = $4, busy_until = $7 FROM users u
                   WHERE (SELECT count(*) FROM people) = cardinality($9::text[]) AND w.id = $1 AND w.position = $6 AND w.busy_until = $8
                     AND w.status = 'active' AND u.id = w.user_id AND ${maySendSql('$5')} RETURNING w.id)
   INSERT INTO webhook_deliveries (webhook_id, message_id, body, next_attempt_at, created_at) SELECT id, $2, $3, $5, $5 FROM moved RETURNING id`,
);

/** Locks webhook $1. Returns no row if the webhook is paused, or if its address is no longer $2. */
export const LOCK_ACTIVE = statement(
  'webhooks_lock_active',
  `SELECT id FROM webhooks WHERE id = $1 AND status = 'active' AND url = $2 FOR UPDATE`,
);

export const PAUSE_WEBHOOK = statement(
  'webhooks_pause',
  `UPDATE webhooks SET status = 'paused', updated_at = $2 WHERE id = $1`,
);
