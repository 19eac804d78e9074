import type { Transaction } from '#platform/database/database';
import { DELETE_REQUESTS_OF } from './request.query';

/**
 * Deletes the account's entries in the request log. The calling code has locked the account, so nobody adds an entry
 * until the transaction ends, and afterwards the account does not exist.
 */
export async function deleteRequestsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(DELETE_REQUESTS_OF, [userId]);
}
