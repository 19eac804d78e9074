import { statement } from '../database/database';

/**
 * `answer`: the stored response of the key; null if there is none. `claimed`: whether this request now holds the claim.
 * If `answer` is null and `claimed` is false, another request holds the claim.
 */
export interface Claim {
  readonly answer: string | null;
  readonly claimed: boolean;
}

export const CLAIM_REQUEST = statement(
  'retries_claim_request',
  'SELECT answer, claimed FROM claim_request($1, $2, $3, $4)',
);

export const SELECT_STORED_RESPONSE = statement(
  'retries_select_stored_response',
  'SELECT answer FROM kept_answers WHERE account_id = $1 AND key_hash = $2',
);

/** SQL for the stored response of an account and a key; null if there is none. */
export function sealedResponseSql(account: string, keyHash: string): string {
  return `(SELECT kept.answer FROM kept_answers kept WHERE kept.account_id = ${account} AND kept.key_hash = ${keyHash})`;
}

/**
 * Stores the response. This is the last statement of the transaction that makes the change. The statement violates the
 * constraint ONE_RESPONSE_PER_KEY if another request with the same key has already made the change.
 */
export const INSERT_STORED_RESPONSE = statement(
  'retries_insert_stored_response',
  'INSERT INTO kept_answers (account_id, key_hash, kept_at, answer) VALUES ($1, $2, $3, $4)',
);
export const ONE_RESPONSE_PER_KEY = 'kept_answers_pkey';

/**
 * `is_free` is true if all other transactions with the lock $1 (computed from an account and a key) have ended. Then
 * the next statement sees the response that one of these transactions may have committed.
 */
export const HAS_NO_OPEN_TRANSACTION = statement(
  'retries_no_open_transaction',
  'SELECT pg_try_advisory_xact_lock($1) AS is_free',
);

export const FREE_CLAIM = statement(
  'retries_free_claim',
  'DELETE FROM request_claims WHERE account_id = $1 AND key_hash = $2 AND holder = $3 RETURNING 1',
);

export const RENEW_CLAIMS = statement(
  'retries_renew_claims',
  'UPDATE request_claims SET until = clock_timestamp() + make_interval(secs => $2) WHERE holder = ANY($1::text[])',
);

/** The key with which the stored responses are encrypted (`AnswerSealer`). It is itself stored encrypted. */
export const SELECT_ANSWERS_KEY = statement('retries_select_answers_key', 'SELECT key_sealed FROM kept_answer_keys');
export const ADD_ANSWERS_KEY = statement(
  'retries_add_answers_key',
  'INSERT INTO kept_answer_keys (key_sealed) VALUES ($1) ON CONFLICT DO NOTHING',
);
export const REPLACE_ANSWERS_KEY = statement(
  'retries_replace_answers_key',
  'UPDATE kept_answer_keys SET key_sealed = $1 WHERE key_sealed = $2',
);
