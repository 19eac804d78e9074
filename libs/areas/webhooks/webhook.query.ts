import type { ChangeType } from '#contract/changes';
import { statement } from '#platform/database/database';

export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly types: ChangeType[] | null;
  readonly description: string | null;
  readonly status: 'active' | 'paused';
  readonly secret_sealed: string;
  /**
   * Two cursors of the feed: entries after `position` are read next, and `sent_cursor` is the cursor of the last
   * message (null if there was no message).
   */
  readonly position: string;
  readonly sent_cursor: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = 'id, url, types, description, status, secret_sealed, position, sent_cursor, created_at, updated_at';

export const COUNT_WEBHOOKS = statement(
  'webhooks_count',
  'SELECT count(*)::int AS total FROM webhooks WHERE user_id = $1',
);

/** SQL: the webhooks of account $1 that a token with the scopes $2 may manage. */
const MANAGED = 'user_id = $1 AND scopes <@ $2::text[]';

export const COUNT_MANAGED = statement(
  'webhooks_count_managed',
  `SELECT count(*)::int AS total FROM webhooks WHERE ${MANAGED}`,
);

export const WEBHOOKS = statement(
  'webhooks_of',
  `SELECT ${COLUMNS} FROM webhooks WHERE ${MANAGED} ORDER BY id LIMIT $3 OFFSET $4`,
);

export const WEBHOOK = statement('webhooks_one', `SELECT ${COLUMNS} FROM webhooks WHERE ${MANAGED} AND id = $3`);

export const LOCK_WEBHOOK = statement(
  'webhooks_lock',
  `SELECT ${COLUMNS} FROM webhooks WHERE ${MANAGED} AND id = $3 FOR UPDATE`,
);

/**
 * Adds a webhook: $1 account, $2 url, $3 types, $4 description, $5 encrypted secret, $6 position in the feed, $7 now,
 * $8 scopes, $9 grant.
 */
export const INSERT_WEBHOOK = statement(
  'webhooks_insert',
  `INSERT INTO webhooks (user_id, url, types, description, secret_sealed, position, news_at, created_at, updated_at, scopes, grant_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7, $8, $9) RETURNING ${COLUMNS}`,
);

export const UPDATE_WEBHOOK = statement(
  'webhooks_update',
  `UPDATE webhooks SET url = $2, types = $3, description = $4, status = $5, updated_at = $6 WHERE id = $1 RETURNING ${COLUMNS}`,
);

/**
 * Lets webhook $1 continue from cursor $2; $3 is now. The waiting messages of the webhook, except test messages, get
 * the status `failed` and are not sent.
 */
export const CONTINUE_FROM = statement(
  'webhooks_continue_from',
  `WITH given_up AS (UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE webhook_id = $1 AND status = 'pending' AND NOT is_test)
   UPDATE webhooks SET position = $2, news_at = $3 WHERE id = $1`,
);

export const DELETE_WEBHOOK = statement(
  'webhooks_delete',
  `DELETE FROM webhooks WHERE ${MANAGED} AND id = $3 RETURNING id`,
);

export const ROTATE_SECRET = statement(
  'webhooks_rotate_secret',
  `UPDATE webhooks SET former_secret_sealed = secret_sealed, secret_sealed = $2, rotated_at = $3, updated_at = $3 WHERE id = $1 RETURNING ${COLUMNS}`,
);

export interface DeliveryRow {
  readonly id: string;
  readonly body: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_ms: number | null;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
}

const DELIVERY_COLUMNS = 'id, body, status, attempts, last_status, last_ms, next_attempt_at, created_at';

export const DELIVERIES = statement(
  'webhooks_deliveries',
  `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
);
export const DELIVERIES_TOTAL = statement(
  'webhooks_deliveries_total',
  'SELECT count(*)::int AS total FROM webhook_deliveries WHERE webhook_id = $1',
);

/**
 * Adds a message: $1 webhook, $2 message id, $3 body, $4 whether the message is a test (which is sent even if the
 * webhook is paused), $5 now.
 */
export const INSERT_DELIVERY = statement(
  'webhooks_insert_delivery',
  `INSERT INTO webhook_deliveries (webhook_id, message_id, body, is_test, is_asked, next_attempt_at, created_at)
   VALUES ($1, $2, $3, $4, $4, $5, $5) RETURNING ${DELIVERY_COLUMNS}`,
);

/** The message of webhook $1 that waits for its next attempt. Test messages are excluded. */
export const WAITING_MESSAGE = statement(
  'webhooks_waiting_message',
  "SELECT body FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending' AND NOT is_test",
);

/** Sets `sent_cursor` of webhook $1 to `position`. Used when the first message of the webhook is a test message. */
export const BEGIN_AT_POSITION = statement(
  'webhooks_begin_at_position',
  'UPDATE webhooks SET sent_cursor = position WHERE id = $1',
);

/** Requests an immediate attempt to send message $2 of webhook $1; $3 is now. */
export const REQUEST_ATTEMPT = statement(
  'webhooks_request_attempt',
  `UPDATE webhook_deliveries SET is_asked = true, next_attempt_at = $3 WHERE webhook_id = $1 AND id = $2 RETURNING ${DELIVERY_COLUMNS}`,
);

export const SWEEP_DELIVERIES = statement(
  'webhooks_sweep_deliveries',
  `DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE created_at < $1 AND status <> 'pending' ORDER BY created_at LIMIT $2) RETURNING 1`,
);
