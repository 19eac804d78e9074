import { LIMITS } from '#contract/limits';
import type { Scope } from '#contract/scopes';
import { statement } from '#platform/database/database';

/** A grant with the client id of its app. */
export interface GrantRow {
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly scopes: Scope[];
  readonly resources: string[];
}

/**
 * Returns the time after which a grant must have been used. A grant whose last use was at this time or earlier has
 * ended (APP-15). Several statements in this file have this time as a parameter.
 */
export function unusedSince(now: Date): Date {
  return new Date(now.getTime() - LIMITS.apps.unused * 1000);
}

/** SQL: when the grant was last used. Issuing a token for the grant and using its tokens both count. */
const LAST_USED = `greatest(g.last_used_at, (SELECT max(t.last_used_at) FROM app_tokens t WHERE t.grant_id = g.id))`;

/** Grant $1, if it was used after $2 and its app is not suspended. */
export const GRANT = statement(
  'apps_grant',
  `SELECT g.id, g.user_id, a.client_id, g.scopes, g.resources FROM app_grants g JOIN apps a ON a.id = g.app_id
    WHERE g.id = $1 AND a.suspended_at IS NULL AND ${LAST_USED} > $2`,
);

export const INSERT_GRANT = statement(
  'apps_insert_grant',
  `INSERT INTO app_grants (app_id, user_id, scopes, resources, created_at, last_used_at)
   VALUES ($1, $2, $3, $4, $5, $5) RETURNING id`,
);

/** Records that a token is issued for grant $1 at $2. Also locks the grant until the transaction ends. */
export const USE_GRANT = statement(
  'apps_use_grant',
  'UPDATE app_grants SET last_used_at = greatest(last_used_at, $2) WHERE id = $1 RETURNING id',
);

/**
 * Copies the last use of expired tokens to their grants. With the same parameters, `sweepAppTokens` deletes these
 * tokens.
 */
export const RECORD_USE_OF_EXPIRED = statement(
  'apps_record_use_of_expired',
  `UPDATE app_grants g SET last_used_at = t.last_used_at
     FROM (SELECT e.grant_id, max(e.last_used_at) AS last_used_at
             FROM (SELECT grant_id, last_used_at FROM app_tokens WHERE expires_at < $1 ORDER BY expires_at, id LIMIT $2) e
            GROUP BY e.grant_id) t
    WHERE g.id = t.grant_id AND t.last_used_at > g.last_used_at`,
);

/** Deletes the grant; its tokens and codes are deleted with it. */
export const END_GRANT = statement('apps_end_grant', 'DELETE FROM app_grants WHERE id = $1');

/** Keeps the $2 most recently used grants of account $1, and deletes its other grants. */
export const END_LONGEST_UNUSED = statement(
  'apps_end_longest_unused',
  `DELETE FROM app_grants WHERE id IN (
     SELECT g.id FROM app_grants g WHERE g.user_id = $1 ORDER BY ${LAST_USED} DESC, g.id DESC OFFSET $2)`,
);

/** Deletes the grants that account $1 has given to app $2. */
export const END_GRANTS_OF_APP = statement(
  'apps_end_grants_of_app',
  'DELETE FROM app_grants WHERE user_id = $1 AND app_id = $2',
);

/**
 * Deletes the consent of account $1 to app $2. Returns the scopes of the consent: the scopes of all grants that the
 * account has given to the app, including grants that have already ended.
 */
export const FORGET_CONSENT = statement(
  'apps_forget_consent',
  'DELETE FROM app_consents WHERE user_id = $1 AND app_id = $2 RETURNING scopes',
);

/** Deletes all consents to the apps $1. Returns the person and the scopes of each consent. */
export const FORGET_CONSENTS = statement(
  'apps_forget_consents',
  'DELETE FROM app_consents WHERE app_id = ANY ($1::bigint[]) RETURNING user_id, scopes',
);

/** The consent of account $1 to app $2, if the app has a grant of this account that was used after $3. */
export const CONSENT = statement(
  'apps_consent',
  `SELECT c.scopes FROM app_consents c JOIN apps a ON a.id = c.app_id WHERE c.user_id = $1 AND a.client_id = $2
      AND EXISTS (SELECT FROM app_grants g WHERE g.user_id = c.user_id AND g.app_id = c.app_id AND ${LAST_USED} > $3)`,
);

/**
 * Adds the scopes to the stored consent of the person to the app. `is_first`: whether no such consent was stored
 * before.
 */
export const ADD_CONSENT = statement(
  'apps_add_consent',
  `INSERT INTO app_consents AS c (user_id, app_id, scopes, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (user_id, app_id) DO UPDATE SET scopes = ARRAY(SELECT DISTINCT s FROM unnest(c.scopes || $3::text[]) s)
   RETURNING (xmax = 0) AS is_first`,
);

export interface ConnectedApp {
  readonly id: string;
  readonly name: string;
  readonly homepage: string | null;
  readonly icon_key: string | null;
  readonly client_id: string;
  readonly origin: string;
  readonly suspended_at: Date | null;
  readonly scopes: Scope[];
  readonly since: Date;
  readonly last_used_at: Date;
}

/**
 * The apps that account $1 has connected: one row for each app with a grant that was used after $2. `scopes` and
 * `since` also cover ended grants that are not yet deleted.
 */
export const CONNECTED_APPS = statement(
  'apps_connected',
  `SELECT a.id, a.name, a.homepage, a.icon_key, a.client_id, a.origin, a.suspended_at, c.scopes, c.since, c.last_used_at
     FROM apps a JOIN (
       SELECT g.app_id, min(g.created_at) AS since, max(${LAST_USED}) AS last_used_at,
              ARRAY(SELECT DISTINCT s FROM app_grants o, unnest(o.scopes) s WHERE o.user_id = $1 AND o.app_id = g.app_id) AS scopes
         FROM app_grants g WHERE g.user_id = $1 GROUP BY g.app_id) c ON c.app_id = a.id
    WHERE c.last_used_at > $2 ORDER BY lower(a.name), a.id`,
);

/** The number of grants of an app and the number of people who gave them, for operators. */
export const GRANTS_OF_APP = statement(
  'apps_grants_of_app',
  'SELECT count(*)::int AS grants, count(DISTINCT user_id)::int AS people FROM app_grants WHERE app_id = $1',
);

/**
 * Deletes at most $2 grants: grants that were not used after $1, and grants that were created before $3, never got a
 * token, and have no code that is valid after $3.
 */
export const SWEEP_GRANTS = statement(
  'apps_sweep_grants',
  `DELETE FROM app_grants WHERE id IN (
     SELECT g.id FROM app_grants g
      WHERE g.last_used_at < $1 AND ${LAST_USED} <= $1
         OR g.created_at = g.last_used_at AND g.created_at < $3::timestamptz
            AND NOT EXISTS (SELECT FROM app_codes c WHERE c.grant_id = g.id AND (c.kind = 'refresh' OR c.expires_at > $3))
      ORDER BY g.id LIMIT $2)
   RETURNING id`,
);
