/** SQL: the people `u` whom somebody, a placeholder, may invite at all (JOIN-26, GRP-13): searchable, somebody else, and not blocking them. */
export function isInvitableSql(inviter: string): string {
  return `u.searchable AND u.id <> ${inviter}
      AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.blocker_id = u.id AND b.blocked_id = ${inviter})`;
}
