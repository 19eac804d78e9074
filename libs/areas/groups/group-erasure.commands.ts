import { statement, type Transaction } from '#platform/database/database';

/**
 * Locks the groups that user $1 owns, is a member of, is invited to or has asked to join. The groups are locked in the
 * order of their ids. All statements that lock several groups use this order.
 */
const LOCK_GROUPS_OF = statement(
  'groups_lock_of',
  'SELECT id, owner_id FROM all_groups WHERE id IN (SELECT group_id FROM group_members WHERE user_id = $1 UNION ALL SELECT id FROM all_groups WHERE owner_id = $1) ORDER BY id FOR UPDATE',
);

/** The member of group $1 who joined first, except user $2. This member becomes the owner. */
const HEIR = statement(
  'groups_heir',
  `SELECT user_id FROM group_members WHERE group_id = $1 AND user_id <> $2 AND joined_at IS NOT NULL ORDER BY joined_at, user_id LIMIT 1`,
);
const LEAVE_GROUP = statement(
  'groups_leave',
  'DELETE FROM group_members WHERE group_id = $1 AND user_id = $2 RETURNING joined_at IS NOT NULL AS belonged',
);
const DECREASE_MEMBERS_COUNT = statement(
  'groups_decrease_members_count',
  'UPDATE all_groups SET members_count = members_count - 1 WHERE id = $1',
);
const TRANSFER_OWNERSHIP = statement(
  'groups_transfer_ownership',
  `WITH heir AS (UPDATE group_members SET role = 'owner' WHERE group_id = $1 AND user_id = $2) UPDATE all_groups SET owner_id = $2 WHERE id = $1`,
);
const DELETE_GROUP = statement('groups_delete', 'DELETE FROM all_groups WHERE id = $1 RETURNING avatar_key, cover_key');
const GROUPS_WITHOUT_OTHERS = statement(
  'groups_without_others',
  `SELECT g.id FROM all_groups g WHERE g.owner_id = $1
      AND NOT EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = g.id AND m.user_id <> $1 AND m.joined_at IS NOT NULL)`,
);

/** The groups, including removed ones, that the person owns and that have no other member. */
export async function groupsWithoutOtherMembers(tx: Transaction, userId: number): Promise<number[]> {
  return (await tx.rows<{ id: string }>(GROUPS_WITHOUT_OTHERS, [userId])).map(({ id }) => Number(id));
}

/** Locks the groups that the person owns, is a member of, is invited to or has asked to join. */
export async function lockGroupsOf(
  tx: Transaction,
  userId: number,
): Promise<{ readonly id: number; readonly isOwner: boolean }[]> {
  const rows = await tx.rows<{ id: string; owner_id: string }>(LOCK_GROUPS_OF, [userId]);
  return rows.map(({ id, owner_id }) => ({ id: Number(id), isOwner: Number(owner_id) === userId }));
}

/**
 * Removes a person from a locked group. If the person owns the group, the other member who joined first becomes the
 * owner; if there is no other member, the group is deleted.
 * @returns the keys of the group's files if the group was deleted; otherwise an empty list
 */
export async function leaveGroup(
  tx: Transaction,
  groupId: number,
  userId: number,
  isOwner: boolean,
): Promise<readonly string[]> {
  const [heir] = isOwner ? await tx.rows<{ user_id: string }>(HEIR, [groupId, userId]) : [];
  if (isOwner && !heir) {
    const [deleted] = await tx.rows<{ avatar_key: string | null; cover_key: string | null }>(DELETE_GROUP, [groupId]);
    return [deleted?.avatar_key, deleted?.cover_key].filter((key) => typeof key === 'string');
  }
  const [membership] = await tx.rows<{ belonged: boolean }>(LEAVE_GROUP, [groupId, userId]);
  if (membership?.belonged) await tx.rows(DECREASE_MEMBERS_COUNT, [groupId]);
  if (heir) await tx.rows(TRANSFER_OWNERSHIP, [groupId, Number(heir.user_id)]);
  return [];
}
