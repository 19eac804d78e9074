import { statement, type Transaction } from '#platform/database/database';

const FORGET_HIDDEN = statement('discover_forget_hidden', 'DELETE FROM hidden_from_changes WHERE user_id = $1');

/**
 * Deletes the records that a block or a ban from an event began or ended for the deleted account. After such a record,
 * Discover counts the events that are hidden from the account again (docs/adr/0007-totals.md).
 */
export async function eraseFromDiscover(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(FORGET_HIDDEN, [userId]);
}
