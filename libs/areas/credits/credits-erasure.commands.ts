import { statement, type Transaction } from '#platform/database/database';

const HAS_CREDITS = statement(
  'credits_has_any',
  'SELECT 1 AS has FROM credit_accounts WHERE user_id = $1 UNION ALL SELECT 1 FROM credit_entries WHERE user_id = $1 UNION ALL SELECT 1 FROM credit_holds WHERE user_id = $1 LIMIT 1',
);

/** Moves the balance, the holds and the ledger's entries of user $1 to user $2; the amounts do not change. */
const HAND_OVER_CREDITS = statement(
  'credits_hand_over',
  `WITH accounts AS (UPDATE credit_accounts SET user_id = $2 WHERE user_id = $1), holds AS (UPDATE credit_holds SET user_id = $2 WHERE user_id = $1)
   UPDATE credit_entries SET user_id = $2 WHERE user_id = $1`,
);

/** Whether the account has holds, ledger entries or a stored balance, which may be 0. */
export async function hasCredits(tx: Transaction, userId: number): Promise<boolean> {
  return (await tx.rows(HAS_CREDITS, [userId])).length > 0;
}

/**
 * Moves the balance, the holds and the ledger's entries to the pseudonym (a row of `users` without personal data) that
 * replaces the deleted account. The amounts do not change.
 */
export async function handOverCredits(tx: Transaction, userId: number, pseudonymId: number): Promise<void> {
  await tx.rows(HAND_OVER_CREDITS, [userId, pseudonymId]);
}
