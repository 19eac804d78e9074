/** SQL: whether one person blocks another. Both arguments are SQL expressions of account ids. */
export function blocksSql(blocker: string, blocked: string): string {
  return `EXISTS (SELECT FROM user_blocks b WHERE b.blocker_id = ${blocker} AND b.blocked_id = ${blocked})`;
}

/** SQL: the ids of the accounts that block the viewer or that the viewer blocks. `viewer` is a placeholder. */
export function blockedEitherWaySql(viewer: string): string {
  return `SELECT blocker_id FROM user_blocks WHERE blocked_id = ${viewer} UNION ALL SELECT blocked_id FROM user_blocks WHERE blocker_id = ${viewer}`;
}
