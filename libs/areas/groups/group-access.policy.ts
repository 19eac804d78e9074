import { Injectable } from '@nestjs/common';
import { belongsToGroup, type GroupRole } from '#contract/vocabulary';
import type { Queryable, Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Group } from './group.entity';
import { GROUP_RELATION } from './group.query';

/**
 * SQL: whether the user sees group `g`. The rule is the same as in `visible`: everybody sees a public group, and a user
 * with any role sees a private group. `userId` is an SQL expression.
 */
export function seesGroupSql(userId: string): string {
  return `(g.is_public OR EXISTS (SELECT FROM group_members gm WHERE gm.group_id = g.id AND gm.user_id = ${userId}))`;
}

/** A user's relation to a group; `role` is null if the user has no role in the group. */
export interface RelationToGroup {
  readonly groupId: number;
  readonly ownerId: number;
  readonly isPublic: boolean;
  readonly role: GroupRole | null;
}

/**
 * A locked group, and the role of the user in the group. Until the transaction ends, no other transaction can change
 * the group or its memberships.
 */
export interface LockedGroup {
  readonly group: Group;
  readonly role: GroupRole | null;
}

/** Visibility, membership and ownership of groups (GRP-5, GRP-12). */
@Injectable()
export class GroupAccessPolicy {
  /** The user's relation to the group. Throws 404 if the user does not see the group or the group does not exist. */
  async visible(database: Queryable, groupId: number, userId: number): Promise<RelationToGroup> {
    const relation = await this.relation(database, groupId, userId);
    if (!relation) throw new Refusal('not_found');
    return relation;
  }

  /** Whether the user sees the group; false for an id that does not exist. */
  async isSeenBy(database: Queryable, groupId: number, userId: number): Promise<boolean> {
    return (await this.relation(database, groupId, userId)) !== null;
  }

  /** Like `visible`, but also throws 403 `forbidden` if the user is neither the owner nor a member. */
  async belonging(database: Queryable, groupId: number, userId: number): Promise<RelationToGroup> {
    const relation = await this.visible(database, groupId, userId);
    if (!belongsToGroup(relation.role)) throw new Refusal('forbidden');
    return relation;
  }

  /** Like `visible`, but also throws 403 `forbidden` if the user is not the owner. */
  async owned(database: Queryable, groupId: number, userId: number): Promise<RelationToGroup> {
    const relation = await this.visible(database, groupId, userId);
    if (relation.role !== 'owner') throw new Refusal('forbidden');
    return relation;
  }

  /** Like `visible`, and locks the group. The role is read after the lock was acquired. */
  async lockVisible(tx: Transaction, groupId: number, userId: number): Promise<LockedGroup> {
    const group = await tx.manager.findOne(Group, { where: { id: groupId }, lock: { mode: 'for_no_key_update' } });
    const { role } = await this.visible(tx, groupId, userId);
    if (!group) throw new Refusal('not_found');
    return { group, role };
  }

  /** Like `owned`, and locks the group. */
  async lockOwned(tx: Transaction, groupId: number, userId: number): Promise<Group> {
    const { group, role } = await this.lockVisible(tx, groupId, userId);
    if (role !== 'owner') throw new Refusal('forbidden');
    return group;
  }

  /** Null if the user does not see the group or the group does not exist. */
  private async relation(database: Queryable, groupId: number, userId: number): Promise<RelationToGroup | null> {
    const [row] = await database.rows<{ owner_id: string; is_public: boolean; role: GroupRole | null }>(
      GROUP_RELATION,
      [groupId, userId],
    );
    if (!row || (!row.is_public && row.role === null)) return null;
    return { groupId, ownerId: Number(row.owner_id), isPublic: row.is_public, role: row.role };
  }
}
