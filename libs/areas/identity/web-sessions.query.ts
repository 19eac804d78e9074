import { statement } from '#platform/database/database';
import { isBannedSql } from './account-conditions.sql';

/** The active session whose key has the hash `$1`. `$2` is the current time. */
export const SELECT_SESSION = statement(
  'identity_web_session',
  'SELECT id, user_id, created_at, last_seen_at FROM web_sessions WHERE key_hash = $1 AND expires_at > $2',
);

export interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
}

/** The account's active sessions, the most recently used first. `$1` account, `$2` now. */
export const SESSIONS_OF = statement(
  'identity_web_sessions_of',
  'SELECT id, user_agent, last_seen_at FROM web_sessions WHERE user_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, id',
);

export interface ListedSessionRow {
  readonly id: string;
  readonly user_agent: string;
  readonly last_seen_at: Date;
}

/**
 * Stores a session of account `$6`, if the password hash of the account is still `$7` and the account is not banned.
 */
export const BEGIN_SESSION = statement(
  'identity_begin_web_session',
  `INSERT INTO web_sessions (id, user_id, key_hash, user_agent, created_at, last_seen_at, expires_at)
   SELECT $1, u.id, $2, $3, $4::timestamptz, $4::timestamptz, $5 FROM users u WHERE u.id = $6 AND u.password_hash = $7 AND NOT ${isBannedSql('u')}
   RETURNING id`,
);

/** Keeps the `$2` most recently used sessions of account `$1`, and deletes the other sessions of this account. */
export const END_OLDEST = statement(
  'identity_end_oldest_web_sessions',
  'DELETE FROM web_sessions WHERE id IN (SELECT id FROM web_sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id OFFSET $2) RETURNING id',
);

/**
 * Deletes up to 100 expired sessions, of all accounts. Every sign-in executes this statement, so no job is needed.
 */
export const DROP_EXPIRED = statement(
  'identity_drop_expired_web_sessions',
  `DELETE FROM web_sessions WHERE id IN (
     SELECT id FROM web_sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
   )`,
);

/** Records a use of session `$1` at `$2`, unless a use at or after `$3` is already recorded. */
export const TOUCH_SESSION = statement(
  'identity_touch_web_session',
  'UPDATE web_sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $3',
);

export const END_SESSION = statement(
  'identity_end_web_session',
  'DELETE FROM web_sessions WHERE id = $1 AND user_id = $2 RETURNING id',
);

export const END_OTHER_SESSIONS = statement(
  'identity_end_other_web_sessions',
  'DELETE FROM web_sessions WHERE user_id = $1 AND id <> $2',
);

export const END_SESSIONS_OF = statement('identity_end_web_sessions_of', 'DELETE FROM web_sessions WHERE user_id = $1');
