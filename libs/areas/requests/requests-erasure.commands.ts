import type { Transaction } from '#platform/database/database';
import { DELETE_REQUESTS_OF } from './request.query';

/** Deletes the account's entries in the request log. The account is already locked, so no entry is added afterwards. */
export async function deleteRequestsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(DELETE_REQUESTS_OF, [userId]);
}
