/**
 * SQL: whether the account with this alias is banned now. A temporary ban ends at `banned_until`, although `banned`
 * stays true until the job `bans-lift` resets it.
 */
export function isBannedSql(account: string): string {
  return `(${account}.banned AND (${account}.banned_until IS NULL OR ${account}.banned_until > now()))`;
}
