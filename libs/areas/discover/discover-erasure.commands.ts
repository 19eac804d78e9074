import { statement, type Transaction } from '#platform/database/database';

const FORGET_HIDDEN = statement('discover_forget_hidden', 'DELETE FROM hidden_from_changes WHERE user_id = $1');

/**
 * Deletes the rows that record when blocks and bans began or ended to hide events from the deleted account. Discover
 * reads such rows to update the account's totals (docs/adr/0007-totals.md).
 */
export async function eraseFromDiscover(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(FORGET_HIDDEN, [userId]);
}
