import { statement } from '#platform/database/database';

/** The key pair of the service (RFC 8292): the public key in base64url, and the private key encrypted. */
export interface PushKeysRow {
  readonly public_key: string;
  readonly private_key_sealed: string;
}

export const SELECT_KEYS = statement('push_keys', 'SELECT public_key, private_key_sealed FROM push_keys');

/** Stores the pair for all servers. No effect if a pair is already stored. */
export const ADD_KEYS = statement(
  'push_add_keys',
  'INSERT INTO push_keys (public_key, private_key_sealed, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);

/**
 * Replaces the pair whose encrypted private key is $4, and ends all subscriptions, because messages to these
 * subscriptions must be signed with the old pair. No effect if another pair is stored.
 */
export const REPLACE_KEYS = statement(
  'push_replace_keys',
  `WITH replaced AS (
     UPDATE push_keys SET public_key = $1, private_key_sealed = $2, created_at = $3 WHERE private_key_sealed = $4 RETURNING 1)
   DELETE FROM push_subscriptions WHERE EXISTS (SELECT FROM replaced)`,
);

/** A subscription as shown to its owner. */
export interface PushSubscriptionRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
}

export const SUBSCRIPTIONS_OF = statement(
  'push_subscriptions_of',
  'SELECT id, name, created_at FROM push_subscriptions WHERE user_id = $1 ORDER BY created_at, id',
);

export const COUNT_SUBSCRIPTIONS = statement(
  'push_subscriptions_count',
  'SELECT count(*)::int AS total FROM push_subscriptions WHERE user_id = $1',
);

/**
 * Updates the subscription of user $1 whose address has the hash $2. The new values: $3 encrypted subscription, $4
 * name, $5 session, $6 hash of the device. Returns no row if there is no such subscription.
 */
export const RENEW_SUBSCRIPTION = statement(
  'push_renew_subscription',
  `UPDATE push_subscriptions SET subscription_sealed = $3, name = $4, session_id = $5, device_hash = $6
    WHERE user_id = $1 AND endpoint_hash = $2 RETURNING id, name, created_at`,
);

/** Ends the subscription whose address has the hash $2, if the subscription belongs to an account other than $1. */
export const END_FOREIGN = statement(
  'push_end_foreign',
  'DELETE FROM push_subscriptions WHERE endpoint_hash = $2 AND user_id <> $1',
);

/** Returns no row if another request has added a subscription with the same address in the meantime. */
export const INSERT_SUBSCRIPTION = statement(
  'push_insert_subscription',
  `INSERT INTO push_subscriptions (id, user_id, endpoint_hash, subscription_sealed, name, session_id, device_hash, host, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (endpoint_hash) DO NOTHING RETURNING id, name, created_at`,
);

/** Assigns the subscriptions of user $1 on the device with the hash $2 to session $3. */
export const MOVE_TO_SESSION = statement(
  'push_move_to_session',
  'UPDATE push_subscriptions SET session_id = $3 WHERE user_id = $1 AND device_hash = $2',
);

export const END_SUBSCRIPTION = statement(
  'push_end_subscription',
  'DELETE FROM push_subscriptions WHERE user_id = $1 AND id = $2 RETURNING id',
);

/**
 * Ends the subscriptions of user $1 in the sessions $2 (null: all sessions), except subscriptions of session $3 (null:
 * no exception).
 */
export const END_WITH_SESSIONS = statement(
  'push_end_with_sessions',
  `DELETE FROM push_subscriptions
    WHERE user_id = $1 AND ($2::uuid[] IS NULL OR session_id = ANY ($2::uuid[])) AND ($3::uuid IS NULL OR session_id <> $3::uuid)`,
);

/** The kinds of notices that user $1 does not get as push messages. No row if the user has not chosen any kinds. */
export const STOPPED_KINDS = statement('push_stopped_kinds', 'SELECT stopped FROM push_choices WHERE user_id = $1');

export const CHOOSE_KINDS = statement(
  'push_choose',
  'INSERT INTO push_choices (user_id, stopped) VALUES ($1, $2::text[]) ON CONFLICT (user_id) DO UPDATE SET stopped = excluded.stopped',
);

/**
 * Deletes at most $2 messages that were created before $1. Messages older than `LIMITS.push.messages_kept` exist only
 * for ended subscriptions and banned accounts.
 */
export const SWEEP_MESSAGES = statement(
  'push_sweep_messages',
  `DELETE FROM push_messages WHERE (notice_id, subscription_id) IN (
     SELECT notice_id, subscription_id FROM push_messages WHERE created_at < $1 ORDER BY created_at LIMIT $2) RETURNING 1`,
);
