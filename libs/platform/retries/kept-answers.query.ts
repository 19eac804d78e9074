import { statement } from '../database/database';

export interface Claim {
  readonly answer: string | null;
  readonly claimed: boolean;
}

export const CLAIM_REQUEST = statement('retries_claim', 'SELECT answer, claimed FROM claim_request($1, $2, $3, $4)');

export const SELECT_KEPT_ANSWER = statement('retries_kept', 'SELECT answer FROM kept_answers WHERE account_id = $1 AND key_hash = $2');

/** In the transaction of the change. No row: somebody else has done it, so this one is to be rolled back. */
export const INSERT_KEPT_ANSWER = statement(
  'retries_keep',
  `WITH freed AS (DELETE FROM request_claims WHERE account_id = $1 AND key_hash = $2 AND holder = $3)
   INSERT INTO kept_answers (account_id, key_hash, kept_at, answer) VALUES ($1, $2, $4, $5) ON CONFLICT DO NOTHING RETURNING 1`,
);

export const FREE_CLAIM = statement('retries_free', 'DELETE FROM request_claims WHERE account_id = $1 AND key_hash = $2 AND holder = $3 RETURNING 1');

export const RENEW_CLAIMS = statement(
  'retries_renew',
  'UPDATE request_claims SET until = clock_timestamp() + make_interval(secs => $2) WHERE holder = ANY($1::text[])',
);

export const SELECT_ANSWERS_KEY = statement('retries_key', 'SELECT key_sealed FROM kept_answer_keys');
export const ADD_ANSWERS_KEY = statement('retries_add_key', 'INSERT INTO kept_answer_keys (key_sealed) VALUES ($1) ON CONFLICT DO NOTHING');
export const REPLACE_ANSWERS_KEY = statement('retries_replace_key', 'UPDATE kept_answer_keys SET key_sealed = $1 WHERE key_sealed = $2');
