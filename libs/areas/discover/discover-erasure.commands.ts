import { statement, type Transaction } from '#platform/database/database';

const FORGET_HIDDEN = statement('discover_forget_hidden', 'DELETE FROM hidden_from_changes WHERE user_id = $1');

/** Deletes the records that note when blocks and bans, which hide events from the deleted account, began or ended. */
export async function eraseFromDiscover(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(FORGET_HIDDEN, [userId]);
}
