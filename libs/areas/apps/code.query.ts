import { statement } from '#platform/database/database';

export type CodeKind = 'code' | 'device' | 'refresh';

/** An authorization code, a device code or a refresh token, with its app. */
export interface CodeRow {
  readonly kind: CodeKind;
  readonly client_id: string;
  readonly grant_id: string | null;
  readonly payload: Record<string, unknown>;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly used_at: Date | null;
}

const COLUMNS = 'c.kind, a.client_id, c.grant_id, c.payload, c.created_at, c.expires_at, c.used_at';

export const CODE = statement(
  'apps_code',
  `SELECT ${COLUMNS} FROM app_codes c JOIN apps a ON a.id = c.app_id WHERE c.hash = $1 AND c.kind = $2`,
);

/** Stores an authorization code or a refresh token of grant $3. Returns no row if the grant was deleted. */
export const INSERT_CODE = statement(
  'apps_insert_code',
  `INSERT INTO app_codes (hash, kind, app_id, grant_id, payload, created_at, expires_at)
   SELECT $1, $2, g.app_id, g.id, $4, $5, $6 FROM app_grants g WHERE g.id = $3 FOR KEY SHARE RETURNING hash`,
);

/** Stores a device code. Returns no row if the app is suspended or was deleted. */
export const INSERT_DEVICE_CODE = statement(
  'apps_insert_device_code',
  `INSERT INTO app_codes (hash, kind, app_id, user_code_hash, payload, created_at, expires_at)
   SELECT $1, 'device', a.id, $3, $4, $5, $6 FROM apps a WHERE a.client_id = $2 AND a.suspended_at IS NULL RETURNING hash`,
);

/** Marks an authorization code or device code as used. Only one of several concurrent exchanges gets a row. */
export const TAKE_CODE = statement(
  'apps_take_code',
  'UPDATE app_codes SET used_at = $2 WHERE hash = $1 AND used_at IS NULL RETURNING hash',
);

/** Marks a refresh token as used. Returns no row if the token was first used at $3 or earlier. */
export const TAKE_REFRESH_TOKEN = statement(
  'apps_take_refresh_token',
  `UPDATE app_codes SET used_at = coalesce(used_at, $2) WHERE hash = $1 AND (used_at IS NULL OR used_at > $3) RETURNING hash`,
);

export const DELETE_CODE = statement('apps_delete_code', 'DELETE FROM app_codes WHERE hash = $1');

/**
 * The device code whose user code has the hash $1, if it waits for an answer, is valid at $2, and its app is not
 * suspended. A person types the user code on the page /device.
 */
export const WAITING_DEVICE_CODE = statement(
  'apps_waiting_device_code',
  `SELECT ${COLUMNS}, a.name, a.icon_key, a.homepage FROM app_codes c JOIN apps a ON a.id = c.app_id
    WHERE c.user_code_hash = $1 AND c.kind = 'device' AND c.expires_at > $2 AND a.suspended_at IS NULL AND NOT c.payload ? 'answered'`,
);

/**
 * Stores the answer to a device code that is not answered yet and is valid at $2. The answer is either grant $3 with
 * the payload $4 for the library oidc-provider, or an error in $4.
 */
export const ANSWER_DEVICE_CODE = statement(
  'apps_answer_device_code',
  `UPDATE app_codes SET grant_id = $3, payload = payload || $4::jsonb || '{"answered": true}'
    WHERE user_code_hash = $1 AND kind = 'device' AND expires_at > $2 AND NOT payload ? 'answered' RETURNING hash`,
);

export const PUT_INTERACTION = statement(
  'apps_put_interaction',
  `INSERT INTO app_interactions (hash, payload, expires_at) VALUES ($1, $2, $3)
   ON CONFLICT (hash) DO UPDATE SET payload = $2`,
);

export const INTERACTION = statement(
  'apps_interaction',
  'SELECT payload, expires_at FROM app_interactions WHERE hash = $1 AND expires_at > $2',
);

export const DELETE_INTERACTION = statement('apps_delete_interaction', 'DELETE FROM app_interactions WHERE hash = $1');

/**
 * Deletes at most $2 device codes and unused authorization codes that expired before $1. SWEEP_USED deletes the used
 * authorization codes.
 */
export const SWEEP_CODES = statement(
  'apps_sweep_codes',
  `DELETE FROM app_codes WHERE hash IN (
     SELECT hash FROM app_codes WHERE expires_at < $1 AND (kind = 'device' OR used_at IS NULL) ORDER BY expires_at LIMIT $2)
   RETURNING hash`,
);

/** Deletes at most $2 codes or refresh tokens that were used before $1. */
export const SWEEP_USED = statement(
  'apps_sweep_used',
  'DELETE FROM app_codes WHERE hash IN (SELECT hash FROM app_codes WHERE used_at < $1 ORDER BY used_at LIMIT $2) RETURNING hash',
);

export const SWEEP_INTERACTIONS = statement(
  'apps_sweep_interactions',
  `DELETE FROM app_interactions WHERE hash IN (
     SELECT hash FROM app_interactions WHERE expires_at < $1 ORDER BY expires_at LIMIT $2) RETURNING hash`,
);
