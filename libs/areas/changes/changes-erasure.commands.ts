import { statement, type Transaction } from '#platform/database/database';

const DROP_HOLDS = statement('changes_drop_holds_of', 'DELETE FROM change_holds WHERE account_id = $1');

/**
 * Deletes the account's holds. A hold is the row of an HTTP request that the service keeps open: a stream, or a request
 * that waits for changes (`HoldKind`).
 */
export async function eraseHolds(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(DROP_HOLDS, [userId]);
}
