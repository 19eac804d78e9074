import { statement } from '../database/database';

export interface Claim {
  readonly answer: string | null;
  readonly claimed: boolean;
}

export const CLAIM_REQUEST = statement('retries_claim', 'SELECT answer, claimed FROM claim_request($1, $2, $3, $4)');

export const SELECT_KEPT_ANSWER = statement('retries_kept', 'SELECT answer FROM kept_answers WHERE account_id = $1 AND key_hash = $2');

/** The kept answer of an account and a key, where a statement knows them: null when there is none. */
export function keptAnswerSql(account: string, keyHash: string): string {
  return `(SELECT kept.answer FROM kept_answers kept WHERE kept.account_id = ${account} AND kept.key_hash = ${keyHash})`;
}

const KEEP = 'INSERT INTO kept_answers (account_id, key_hash, kept_at, answer)';

/** The last of the transaction of the change. It fails at KEPT_ONCE when somebody else has made the change. */
export const INSERT_KEPT_ANSWER = statement('retries_keep', `${KEEP} VALUES ($1, $2, $3, $4)`);
export const KEPT_ONCE = 'kept_answers_pkey';

/**
 * The same for a change that is one statement, a transaction of its own: a `WITH` query of it, by which the answer is kept where `made`, one before it, has a row;
 * and the condition of its first change, which nobody else with the key may be at.
 * @param after how many values come before these five
 */
export function keptBySql(made: string, after: number): { kept: string; alone: string } {
  const [account, keyHash, at, answer, lock] = [1, 2, 3, 4, 5].map((n) => `$${after + n}`);
  return {
    kept: `kept AS (${KEEP} SELECT ${account}, ${keyHash}, ${at}, ${answer} FROM ${made})`,
    alone: `pg_try_advisory_xact_lock(${lock})`,
  };
}

/** Whether nobody is in a transaction of the account and the key. The answer stands before the next statement looks. */
export const IS_NOBODY_AT_IT = statement('retries_nobody_at_it', 'SELECT pg_try_advisory_xact_lock($1) AS nobody');

export const FREE_CLAIM = statement('retries_free', 'DELETE FROM request_claims WHERE account_id = $1 AND key_hash = $2 AND holder = $3 RETURNING 1');

export const RENEW_CLAIMS = statement(
  'retries_renew',
  'UPDATE request_claims SET until = clock_timestamp() + make_interval(secs => $2) WHERE holder = ANY($1::text[])',
);

export const SELECT_ANSWERS_KEY = statement('retries_key', 'SELECT key_sealed FROM kept_answer_keys');
export const ADD_ANSWERS_KEY = statement('retries_add_key', 'INSERT INTO kept_answer_keys (key_sealed) VALUES ($1) ON CONFLICT DO NOTHING');
export const REPLACE_ANSWERS_KEY = statement('retries_replace_key', 'UPDATE kept_answer_keys SET key_sealed = $1 WHERE key_sealed = $2');
