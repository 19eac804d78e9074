/**
 * SQL: whether an account is banned now. `account` is the name or the alias of `users` in the statement. A temporary
 * ban ends at `banned_until`, although `banned` stays true until the job `bans-lift` resets it.
 */
export function isBannedSql(account: string): string {
  return `(${account}.banned AND (${account}.banned_until IS NULL OR ${account}.banned_until > now()))`;
}
