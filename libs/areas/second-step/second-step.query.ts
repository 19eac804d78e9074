import { statement } from '#platform/database/database';

/**
 * Stores a new secret, which the first correct code will confirm. Replaces an unconfirmed secret; no effect if the
 * account has a confirmed secret. `$1` account, `$2` secret, `$3` now.
 */
export const BEGIN_TOTP = statement(
  'second_step_begin_totp',
  `INSERT INTO totp_secrets (user_id, secret_sealed, created_at) VALUES ($1, $2, $3)
   ON CONFLICT (user_id) DO UPDATE SET secret_sealed = excluded.secret_sealed, created_at = excluded.created_at WHERE totp_secrets.confirmed_at IS NULL`,
);

export interface TotpRow {
  readonly secret_sealed: string;
  readonly created_at: Date;
  readonly confirmed_at: Date | null;
  /** The number of the last used 30-second step (`stepOfCode`): a bigint, as a string. */
  readonly used_step: string | null;
}

export const TOTP = statement(
  'second_step_totp',
  'SELECT secret_sealed, created_at, confirmed_at, used_step FROM totp_secrets WHERE user_id = $1',
);

/**
 * Marks the 30-second step `$2` (`stepOfCode`) of account `$1` as used. The first code also confirms the secret at
 * `$3`. Returns no row if this step or a later step was already used.
 */
export const TAKE_STEP = statement(
  'second_step_take_step',
  `UPDATE totp_secrets SET used_step = $2, confirmed_at = coalesce(confirmed_at, $3)
    WHERE user_id = $1 AND (used_step IS NULL OR used_step < $2) RETURNING user_id`,
);

export const DELETE_TOTP = statement('second_step_delete_totp', 'DELETE FROM totp_secrets WHERE user_id = $1');

export const INSERT_PASSKEY = statement(
  'second_step_insert_passkey',
  `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
);

export interface PasskeyRow {
  readonly id: string;
  readonly user_id: string;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly counter: string;
  readonly transports: string[];
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

const PASSKEY_COLUMNS = 'id, user_id, credential_id, public_key, counter, transports, name, created_at, last_used_at';

export const PASSKEYS = statement(
  'second_step_passkeys',
  `SELECT ${PASSKEY_COLUMNS} FROM passkeys WHERE user_id = $1 ORDER BY id`,
);

export const PASSKEY = statement(
  'second_step_passkey',
  `SELECT ${PASSKEY_COLUMNS} FROM passkeys WHERE credential_id = $1`,
);

export const LOCK_PASSKEY = statement(
  'second_step_lock_passkey',
  `SELECT ${PASSKEY_COLUMNS} FROM passkeys WHERE credential_id = $1 FOR UPDATE`,
);

export const STORE_PASSKEY_USE = statement(
  'second_step_store_passkey_use',
  'UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE id = $1',
);

export const DELETE_PASSKEY = statement(
  'second_step_delete_passkey',
  'DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING id',
);

export const DELETE_PASSKEYS = statement('second_step_delete_passkeys', 'DELETE FROM passkeys WHERE user_id = $1');

/** Marks a challenge as used; `$2` is its expiry. Returns no row if the challenge was already used. */
export const USE_CHALLENGE = statement(
  'second_step_use_challenge',
  'INSERT INTO used_challenges (challenge, expires_at) VALUES ($1, $2) ON CONFLICT (challenge) DO NOTHING RETURNING challenge',
);

/** Deletes up to a hundred expired challenges. This statement runs at each use of a challenge, so no job is needed. */
export const DROP_CHALLENGES = statement(
  'second_step_drop_challenges',
  `DELETE FROM used_challenges WHERE challenge IN (
     SELECT challenge FROM used_challenges WHERE expires_at <= $1 ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
   )`,
);

export const DELETE_RECOVERY_CODES = statement(
  'second_step_delete_recovery_codes',
  'DELETE FROM recovery_codes WHERE user_id = $1',
);

export const INSERT_RECOVERY_CODES = statement(
  'second_step_insert_recovery_codes',
  'INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])',
);

export const TAKE_RECOVERY_CODE = statement(
  'second_step_take_recovery_code',
  'DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING user_id',
);

export interface SecondStepRow {
  readonly totp_since: Date | null;
  readonly passkeys: number;
  readonly recovery_codes: number;
}

export const SECOND_STEP_STATE = statement(
  'second_step_state',
  `SELECT (SELECT confirmed_at FROM totp_secrets WHERE user_id = $1) AS totp_since,
          (SELECT count(*)::int FROM passkeys WHERE user_id = $1) AS passkeys,
          (SELECT count(*)::int FROM recovery_codes WHERE user_id = $1) AS recovery_codes`,
);

export const DELETE_TRIES = statement('second_step_delete_tries', 'DELETE FROM second_step_tries WHERE user_id = $1');

/**
 * Stores a half session (README.md): the password was verified, but the second step was not. `$1` hash of its key, `$2`
 * account, `$3` value that detects a change of the password (`passwordFingerprint`), `$4` expiry.
 */
export const BEGIN_HALF_SESSION = statement(
  'second_step_begin_half_session',
  'INSERT INTO half_sessions (key_hash, user_id, password_seen, expires_at) VALUES ($1, $2, $3, $4)',
);

export const HALF_SESSION = statement(
  'second_step_half_session',
  'SELECT user_id, password_seen FROM half_sessions WHERE key_hash = $1 AND expires_at > $2',
);

export interface HalfSessionRow {
  readonly user_id: string;
  readonly password_seen: string;
}

export const END_HALF_SESSIONS = statement(
  'second_step_end_half_sessions',
  'DELETE FROM half_sessions WHERE user_id = $1',
);

export const DROP_HALF_SESSIONS = statement(
  'second_step_drop_half_sessions',
  `DELETE FROM half_sessions WHERE key_hash IN (
     SELECT key_hash FROM half_sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
   )`,
);
