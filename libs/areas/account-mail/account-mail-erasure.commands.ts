import { statement, type Transaction } from '#platform/database/database';

const DELETE_MAILS_TO = statement(
  'account_mail_delete_to',
  'DELETE FROM account_mails WHERE user_id = $1 OR lower(address) = lower($2)',
);

/** Deletes the rows of `account_mails` for a deleted account and for its address. */
export async function eraseAccountMails(tx: Transaction, userId: number, address: string | null): Promise<void> {
  await tx.rows(DELETE_MAILS_TO, [userId, address]);
}
