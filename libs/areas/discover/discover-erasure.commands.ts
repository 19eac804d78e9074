import { statement, type Transaction } from '#platform/database/database';

const FORGET_HIDDEN = statement('discover_forget_hidden', 'DELETE FROM hidden_from_changes WHERE user_id = $1');

/**
 * Deletes the records of changes of blocks and bans that hide or hid events from the deleted account. The totals of
 * Discover need these records (docs/adr/0007-totals.md).
 */
export async function eraseFromDiscover(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(FORGET_HIDDEN, [userId]);
}
