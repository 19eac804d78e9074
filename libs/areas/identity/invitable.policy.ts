/**
 * SQL: whether `inviter` (an SQL placeholder) may invite the person `u` (JOIN-26, GRP-13): the person is searchable, is
 * not the inviter, and does not block the inviter.
 */
export function isInvitableSql(inviter: string): string {
  return `u.searchable AND u.id <> ${inviter}
      AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.blocker_id = u.id AND b.blocked_id = ${inviter})`;
}
