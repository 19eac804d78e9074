import { statement, type Transaction } from '#platform/database/database';

const LOCK_ACCOUNT_TO_DELETE = statement(
  'identity_lock_account_to_delete',
  'SELECT id, slug, name, nickname, email, avatar_key FROM users WHERE id = $1 AND NOT gone FOR UPDATE',
);
const DELETE_USER = statement('identity_delete_user', 'DELETE FROM users WHERE id = $1');

/** An account that is being deleted. */
export interface AccountToDelete {
  readonly slug: string;
  readonly name: string;
  readonly nickname: string | null;
  readonly email: string | null;
  readonly avatarKey: string | null;
}

/**
 * Locks the account, so that no new reference to the account is stored until the transaction ends. Returns null if the
 * account does not exist or is already erased. Callers that also lock events and groups lock these before the account.
 */
export async function lockAccountToDelete(tx: Transaction, userId: number): Promise<AccountToDelete | null> {
  const [row] = await tx.rows<{
    slug: string;
    name: string;
    nickname: string | null;
    email: string | null;
    avatar_key: string | null;
  }>(LOCK_ACCOUNT_TO_DELETE, [userId]);
  return row
    ? { slug: row.slug, name: row.name, nickname: row.nickname, email: row.email, avatarKey: row.avatar_key }
    : null;
}

/**
 * Deletes the account, and with it all rows that refer to the account with ON DELETE CASCADE, for example tokens,
 * sessions and blocks. The database refuses the deletion while any other row refers to the account.
 */
export async function deleteAccount(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(DELETE_USER, [userId]);
}
