/**
 * SQL: the people `u` that a user (a placeholder) may invite (JOIN-26, GRP-13): searchable, not the user, and not
 * blocking the user.
 */
export function isInvitableSql(inviter: string): string {
  return `u.searchable AND u.id <> ${inviter}
      AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.blocker_id = u.id AND b.blocked_id = ${inviter})`;
}
