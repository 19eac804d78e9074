import { Column, Entity } from 'typeorm';
import { belongsToGroup, type GroupRole } from '#contract/vocabulary';
import { Instant, KeyRef } from '#platform/database/columns';
import { roleAfter, type MembershipTrigger } from './membership.transitions';

/**
 * A user's relation to a group. A user without a relation has no row in the table. In memory, such a user is a
 * `GroupMember` whose `role` is null (`unrelatedMember`).
 */
@Entity('group_members')
export class GroupMember {
  @KeyRef({ name: 'group_id' })
  groupId: number;

  @KeyRef({ name: 'user_id' })
  userId: number;

  @Column('text')
  role: GroupRole | null;

  /** When the user founded or joined the group; null unless the user is the owner or a member. */
  @Instant({ name: 'joined_at', nullable: true })
  joinedAt: Date | null;

  @Instant({ name: 'created_at', update: false })
  createdAt: Date;

  /** Whether the user is the owner or a member. */
  get belongs(): boolean {
    return belongsToGroup(this.role);
  }

  get isInvited(): boolean {
    return this.role === 'invited';
  }

  /**
   * Changes the role as the transition table (`roleAfter`) requires for this trigger, or throws the table's refusal.
   */
  apply(trigger: MembershipTrigger, now: Date): void {
    this.role = roleAfter(trigger, this.role);
    this.joinedAt = this.belongs ? now : null;
  }
}

/** A `GroupMember`, not yet stored, for a person without a relation to the group. */
export function unrelatedMember(groupId: number, userId: number, now: Date): GroupMember {
  return Object.assign(new GroupMember(), {
    groupId,
    userId,
    role: null,
    joinedAt: null,
    createdAt: now,
  } satisfies Partial<GroupMember>);
}

/** The founder's membership of a new group. */
export function founderMembership(groupId: number, userId: number, now: Date): GroupMember {
  return Object.assign(unrelatedMember(groupId, userId, now), {
    role: 'owner',
    joinedAt: now,
  } satisfies Partial<GroupMember>);
}
