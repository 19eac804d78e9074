import { GROUP_RELATIONS, type GroupRelation } from '#contract/vocabulary';
import { statement, type Statement } from '#platform/database/database';
import { personColumns } from '../identity/person.resource';
import { GROUP_COLUMNS, GROUP_JOINS } from './group.resource';

/** The owner of group $1, whether the group is public, and the role of user $2 in the group. */
export const GROUP_RELATION = statement(
  'groups_relation',
  `SELECT g.owner_id, g.is_public, me.role
     FROM groups g LEFT JOIN group_members me ON me.group_id = g.id AND me.user_id = $2
    WHERE g.id = $1`,
);

/** Whether there is a group to which both user $1 and user $2 belong, as owner or member. */
export const SHARED_GROUP = statement(
  'groups_shared',
  `SELECT 1 AS shared FROM group_members one JOIN group_members other ON other.group_id = one.group_id JOIN groups g ON g.id = one.group_id
    WHERE one.user_id = $1 AND other.user_id = $2 AND one.role IN ('owner', 'member') AND other.role IN ('owner', 'member') LIMIT 1`,
);

/** One group as user $1 sees it; the calling code has checked that the user sees the group. */
export const GROUP_FOR_VIEWER = statement(
  'groups_for_viewer',
  `SELECT ${GROUP_COLUMNS} FROM groups g ${GROUP_JOINS} WHERE g.id = $2`,
);

/** Like GROUP_FOR_VIEWER, for the groups with the ids $2. */
export const GROUPS_FOR_VIEWER = statement(
  'groups_for_viewer_by_ids',
  `SELECT ${GROUP_COLUMNS} FROM groups g ${GROUP_JOINS} WHERE g.id = ANY($2)`,
);

export const INVITE_CODE = statement('groups_invite_code', 'SELECT invite_code FROM groups WHERE id = $1');

export const HAS_PUBLIC_GROUP = statement(
  'groups_has_public',
  'SELECT 1 AS public FROM groups WHERE owner_id = $1 AND is_public LIMIT 1',
);

/**
 * SQL: for each value of the parameters `relation` and `status`, the condition on the role. The owner counts as a
 * member.
 */
const ROLES: Record<GroupRelation, string> = {
  member: `IN ('owner', 'member')`,
  invited: `= 'invited'`,
  requested: `= 'requested'`,
};

/** One statement per relation. */
function perRelation(name: string, text: (relation: GroupRelation) => string): Record<GroupRelation, Statement> {
  return Object.fromEntries(
    GROUP_RELATIONS.map((relation) => [relation, statement(`${name}_${relation}`, text(relation))]),
  ) as Record<GroupRelation, Statement>;
}

/**
 * The groups to which user $1 has the relation. The latest membership, invitation or request comes first. $2 limit, $3
 * offset.
 */
export const OWN_GROUPS = perRelation(
  'groups_own',
  (relation) => `SELECT ${GROUP_COLUMNS} FROM groups g ${GROUP_JOINS}
    WHERE me.role ${ROLES[relation]} ORDER BY coalesce(me.joined_at, me.created_at) DESC, g.id DESC LIMIT $2 OFFSET $3`,
);

export const OWN_GROUPS_TOTAL = perRelation(
  'groups_own_total',
  (relation) =>
    `SELECT count(*)::int AS total FROM group_members me JOIN groups g ON g.id = me.group_id WHERE me.user_id = $1 AND me.role ${ROLES[relation]}`,
);

/**
 * SQL: condition and order of each list of members. Each list can be read from the index `group_members_joined` or
 * `group_members_pending`. The earliest membership comes first, so the owner is the first member.
 */
const MEMBER_LISTS: Record<GroupRelation, { where: string; order: string }> = {
  member: { where: 'm.joined_at IS NOT NULL', order: 'm.joined_at, m.user_id' },
  invited: { where: `m.joined_at IS NULL AND m.role = 'invited'`, order: 'm.created_at, m.user_id' },
  requested: { where: `m.joined_at IS NULL AND m.role = 'requested'`, order: 'm.created_at, m.user_id' },
};

const MEMBER_COLUMNS = `${personColumns('u', 'user')}, m.role, m.joined_at, m.created_at`;
const MEMBER = `SELECT ${MEMBER_COLUMNS}
  FROM group_members m JOIN users u ON u.id = m.user_id`;

/** The membership, invitation or request of user $2 in group $1. */
export const GROUP_MEMBER = statement('groups_member', `${MEMBER} WHERE m.group_id = $1 AND m.user_id = $2`);

/** The memberships, invitations and requests of the people with the slugs $2 in group $1. */
export const GROUP_MEMBERS_AMONG = statement(
  'groups_members_among',
  `${MEMBER} WHERE m.group_id = $1 AND u.slug = ANY($2::text[])`,
);

/**
 * The memberships, invitations and requests of several users, each in one group: user $2[1] in group $1[1], user $2[2]
 * in group $1[2], and so on.
 */
export const GROUP_MEMBERS_NAMED = statement(
  'groups_members_named',
  `SELECT m.group_id, m.user_id, ${MEMBER_COLUMNS} FROM unnest($1::bigint[], $2::bigint[]) AS named (group_id, user_id)
     JOIN group_members m ON m.group_id = named.group_id AND m.user_id = named.user_id
     JOIN users u ON u.id = m.user_id`,
);

/** The members of group $1, the people invited to it, or the people who asked to join. $2 limit, $3 offset. */
export const GROUP_MEMBERS = perRelation(
  'groups_members',
  (relation) =>
    `${MEMBER} WHERE m.group_id = $1 AND ${MEMBER_LISTS[relation].where} ORDER BY ${MEMBER_LISTS[relation].order} LIMIT $2 OFFSET $3`,
);

export const GROUP_MEMBERS_TOTAL = perRelation(
  'groups_members_total',
  (relation) =>
    `SELECT count(*)::int AS total FROM group_members m WHERE m.group_id = $1 AND ${MEMBER_LISTS[relation].where}`,
);

/** The user ids of all members of group $1, including the owner. */
export const MEMBER_IDS = statement(
  'groups_member_ids',
  'SELECT user_id FROM group_members WHERE group_id = $1 AND joined_at IS NOT NULL ORDER BY user_id',
);

/**
 * Whether user $2 is the owner or a member of group $1. Until the transaction ends, the group cannot be deleted, and
 * the membership cannot be changed or deleted.
 */
export const LOCK_MEMBERSHIP = statement(
  'groups_lock_membership',
  `SELECT 1 AS member FROM groups g JOIN group_members m ON m.group_id = g.id
    WHERE g.id = $1 AND m.user_id = $2 AND m.joined_at IS NOT NULL
      FOR KEY SHARE OF g FOR SHARE OF m`,
);

/** Locks the groups against deletion until the transaction ends. */
export const LOCK_GROUPS = statement(
  'groups_lock_several',
  'SELECT id FROM groups WHERE id = ANY($1::bigint[]) ORDER BY id FOR KEY SHARE',
);

/** The group with the invite code $2, as viewer $1 sees it. $1 is null for a visitor who is not signed in. */
export const GROUP_BY_INVITE_CODE = statement(
  'groups_by_invite_code',
  `SELECT ${GROUP_COLUMNS} FROM groups g ${GROUP_JOINS} WHERE g.invite_code = $2`,
);

/**
 * Locks the group with the invite code $1 until the transaction ends. Changes of its memberships wait for this lock.
 */
export const LOCK_BY_INVITE_CODE = statement(
  'groups_lock_by_invite_code',
  'SELECT id FROM groups WHERE invite_code = $1 FOR NO KEY UPDATE',
);
