import { shortRead, statement } from '#platform/database/database';
import { LIMITS } from '#contract/limits';
import type { Scope } from '#contract/scopes';
import type { Gender, TokenAccess } from '#contract/vocabulary';
import { sealedResponseSql } from '#platform/retries/stored-responses.query';
import { isBannedSql, isOfSuspendedAppSql } from './account-conditions.sql';

const TOKEN_COLUMNS = 't.id AS token_id, t.name AS token_name, t.access, t.scopes, t.expires_at, t.last_used_at';
const ACCOUNT_COLUMNS = `u.id, u.slug, u.name, u.nickname, u.avatar_key, u.locale, u.timezone, u.birth_date::text AS birth_date, u.gender,
          u.premium_until, u.verified, u.admin, u.moderator, ${isBannedSql('u')} AS banned`;

/*
 * Each request with a token or a door link runs one of the three statements `identity_…_with_…`. The result is never
 * cached. $2 is the hash of the idempotency key of a write request; the statement then also reads the stored response.
 * Without a key, $2 is null.
 */

/** Reads a token that does not belong to an app, and the account of the token, in one round trip. */
export const TOKEN_WITH_ACCOUNT = shortRead(
  'identity_token_with_account',
  `SELECT ${TOKEN_COLUMNS}, ${ACCOUNT_COLUMNS}, ${sealedResponseSql('t.user_id', '$2')} AS sealed_response
     FROM tokens t JOIN users u ON u.id = t.user_id
    WHERE t.hash = $1`,
);

const APP_COLUMNS = `t.id AS token_id, t.scopes, t.expires_at, t.last_used_at, g.id AS grant_id, a.id AS app_id,
          a.name AS app_name, a.client_id, CASE WHEN a.is_confidential THEN a.ip_window END AS ip_window, ${ACCOUNT_COLUMNS}`;
/**
 * The token of a connected app, this app, and the account for which the token acts. An app token is deleted with its
 * grant, and does not work while its app is suspended.
 */
export const APP_TOKEN_WITH_ACCOUNT = shortRead(
  'identity_app_token_with_account',
  `SELECT ${APP_COLUMNS}, ${sealedResponseSql('g.user_id', '$2')} AS sealed_response
     FROM app_tokens t JOIN app_grants g ON g.id = t.grant_id JOIN apps a ON a.id = g.app_id JOIN users u ON u.id = g.user_id
    WHERE t.hash = $1 AND a.suspended_at IS NULL`,
);

export interface AppTokenWithAccount extends Account {
  token_id: string;
  scopes: Scope[];
  expires_at: Date;
  last_used_at: Date | null;
  grant_id: string;
  app_id: string;
  app_name: string;
  client_id: string;
  /**
   * The app's own limit of requests per minute, which replaces the limit of an IP address. Null if the app has no limit
   * of its own, and for every public app.
   */
  ip_window: number | null;
}

export interface TokenWithAccount extends Account {
  token_id: string;
  token_name: string;
  access: TokenAccess;
  /** Null for a token with an access level. */
  scopes: Scope[] | null;
  expires_at: Date | null;
  last_used_at: Date | null;
}

/** The account for which a token or a door link acts, and the stored response of the request's idempotency key. */
export interface Account {
  id: string;
  slug: string;
  name: string;
  nickname: string | null;
  avatar_key: string | null;
  locale: string;
  timezone: string;
  birth_date: string | null;
  gender: Gender | null;
  premium_until: Date | null;
  verified: boolean;
  admin: boolean;
  moderator: boolean;
  banned: boolean;
  /** The stored response, encrypted; null if there is none, or if the request has no idempotency key. */
  sealed_response: string | null;
}

const DOOR_COLUMNS = `l.id AS link_id, l.event_id, l.name AS link_name,
          e.over_at + make_interval(secs => ${LIMITS.door.links.after_end}) AS expires_at, ${ACCOUNT_COLUMNS}`;
/**
 * A door link and the organizer of its event. Requests with the link act for the organizer. The view `events` omits
 * hidden events, so door links of hidden events do not work. A link that an app created does not work while the app is
 * suspended.
 */
export const DOOR_LINK_WITH_ORGANIZER = shortRead(
  'identity_door_link_with_organizer',
  `SELECT ${DOOR_COLUMNS}, ${sealedResponseSql('e.organizer_id', '$2')} AS sealed_response
     FROM door_links l JOIN events e ON e.id = l.event_id JOIN users u ON u.id = e.organizer_id
    WHERE l.hash = $1
      AND NOT ${isOfSuspendedAppSql('l.grant_id')}`,
);

export interface DoorLinkWithOrganizer extends Account {
  link_id: string;
  event_id: string;
  link_name: string;
  expires_at: Date;
}

/** Records the use of a token, unless a use at or after `$3` is already recorded. */
export const TOUCH_TOKEN = statement(
  'identity_touch_token',
  'UPDATE tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)',
);

export const TOUCH_APP_TOKEN = statement(
  'identity_touch_app_token',
  'UPDATE app_tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)',
);
