import { statement, type Transaction } from '../database/database';

const DROP_CLAIMS = statement('retries_drop_claims_of', 'DELETE FROM request_claims WHERE account_id = $1');

/**
 * Deletes the claims (see `StoredResponses`) of an account. The stored responses of the account are deleted together with the
 * account.
 */
export async function eraseClaims(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(DROP_CLAIMS, [userId]);
}
