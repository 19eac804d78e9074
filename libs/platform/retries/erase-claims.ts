import { statement, type Transaction } from '../database/database';

const DROP_CLAIMS = statement('retries_drop_claims_of', 'DELETE FROM request_claims WHERE account_id = $1');

/** Deletes claims of an account; its stored responses are deleted with the account. */
export async function eraseClaims(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(DROP_CLAIMS, [userId]);
}
