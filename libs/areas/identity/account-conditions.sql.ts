/** SQL: whether an account is banned now. `account` is the name or the alias of `users` in the statement. */
export function isBannedSql(account: string): string {
  return `is_banned(${account}.banned, ${account}.banned_until)`;
}

/** SQL: whether one person blocks another. Both arguments are SQL expressions of account ids. */
export function blocksSql(blocker: string, blocked: string): string {
  return `EXISTS (SELECT FROM user_blocks b WHERE b.blocker_id = ${blocker} AND b.blocked_id = ${blocked})`;
}

/** SQL: the ids of the accounts that block the viewer or that the viewer blocks. `viewer` is a placeholder. */
export function blockedEitherWaySql(viewer: string): string {
  return `SELECT blocker_id FROM user_blocks WHERE blocked_id = ${viewer} UNION ALL SELECT blocked_id FROM user_blocks WHERE blocker_id = ${viewer}`;
}

/**
 * SQL: whether `inviter` (an SQL placeholder) may invite the person `u` (JOIN-27, GRP-13): the person is searchable and
 * not banned, is not the inviter, and does not block the inviter.
 */
export function isInvitableSql(inviter: string): string {
  return `u.searchable AND NOT ${isBannedSql('u')} AND u.id <> ${inviter}
      AND NOT ${blocksSql('u.id', inviter)}`;
}

/**
 * SQL: whether the object with this grant belongs to an app that is suspended now (APP-20). If no app created the
 * object, its grant is NULL, and the result is false.
 * @param grant the column with the id of the grant
 */
export function isOfSuspendedAppSql(grant: string): string {
  return `EXISTS (SELECT FROM app_grants g JOIN apps a ON a.id = g.app_id WHERE g.id = ${grant} AND a.suspended_at IS NOT NULL)`;
}
