/** SQL: whether the account with this alias is banned at this moment. A ban of some days is over once its time has come, whatever `banned` says until the job tidies. */
export function isBannedSql(account: string): string {
  return `(${account}.banned AND (${account}.banned_until IS NULL OR ${account}.banned_until > now()))`;
}
