import { statement, type Transaction } from '#platform/database/database';

const FORGET_HIDDEN = statement('discover_forget_hidden', 'DELETE FROM hidden_from_changes WHERE user_id = $1');

/**
 * Deletes the rows of `hidden_from_changes` for the deleted account. Each row records that somebody blocked or
 * unblocked the account, or that a ban of the account from an event began or ended. After such a change, Discover must
 * count the events hidden from the account again (docs/adr/0007-totals.md).
 */
export async function eraseFromDiscover(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(FORGET_HIDDEN, [userId]);
}
