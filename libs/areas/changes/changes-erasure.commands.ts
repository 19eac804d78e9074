import { statement, type Transaction } from '#platform/database/database';

const DROP_HOLDS = statement('changes_drop_holds_of', 'DELETE FROM change_holds WHERE account_id = $1');

/** Deletes the rows about an account's open requests: streams, and requests that wait for changes. */
export async function eraseHolds(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(DROP_HOLDS, [userId]);
}
