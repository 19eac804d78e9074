import type { Scope } from '#contract/scopes';
import { statement, type Queryable } from '#platform/database/database';
import { hashSecret } from '#platform/text/hash-secret';
import { mintSecret } from './token-secret.policy';

/** An access token, the grant and the user to which it belongs, and the `client_id` of the app. */
export interface AppTokenRow {
  readonly client_id: string;
  readonly user_id: string;
  readonly grant_id: string;
  readonly scopes: Scope[];
  readonly expires_at: Date;
}

/** A token to be stored. The calling code has locked the row of its grant. */
export interface NewAppToken {
  readonly grantId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

const INSERT_APP_TOKEN = statement(
  'identity_insert_app_token',
  'INSERT INTO app_tokens (hash, grant_id, scopes, expires_at, created_at) VALUES ($1, $2, $3, $4, $5)',
);
const APP_TOKEN = statement(
  'identity_app_token',
  `SELECT a.client_id, g.user_id, t.grant_id, t.scopes, t.expires_at
     FROM app_tokens t JOIN app_grants g ON g.id = t.grant_id JOIN apps a ON a.id = g.app_id WHERE t.hash = $1`,
);
const DELETE_APP_TOKEN = statement('identity_delete_app_token', 'DELETE FROM app_tokens WHERE hash = $1');
const SWEEP_APP_TOKENS = statement(
  'identity_sweep_app_tokens',
  'DELETE FROM app_tokens WHERE id IN (SELECT id FROM app_tokens WHERE expires_at < $1 ORDER BY expires_at, id LIMIT $2) RETURNING id',
);

/*
 * Access tokens of connected apps. The area `apps` issues these tokens. To authenticate a request, `Authentication`
 * reads the token with a different statement, which also reads the account.
 */

export function newAppTokenSecret(): string {
  return mintSecret('app');
}

export async function issueAppToken(
  database: Queryable,
  secret: string,
  { grantId, scopes, expiresAt, createdAt }: NewAppToken,
): Promise<void> {
  await database.rows(INSERT_APP_TOKEN, [hashSecret(secret), grantId, scopes, expiresAt, createdAt]);
}

/** The token with this secret, even if it has expired; null if there is none. */
export async function findAppToken(database: Queryable, secret: string): Promise<AppTokenRow | null> {
  return (await database.rows<AppTokenRow>(APP_TOKEN, [hashSecret(secret)]))[0] ?? null;
}

export async function deleteAppToken(database: Queryable, secret: string): Promise<void> {
  await database.rows(DELETE_APP_TOKEN, [hashSecret(secret)]);
}

/** Deletes at most `size` tokens that expired before `before`. Returns one row for each deleted token. */
export function sweepAppTokens(database: Queryable, before: Date, size: number): Promise<object[]> {
  return database.rows(SWEEP_APP_TOKENS, [before, size]);
}
