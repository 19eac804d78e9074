import { Column, Entity } from 'typeorm';
import type { GroupRole } from '#contract/vocabulary';
import { Instant, KeyRef } from '#platform/database/columns';
import { roleAfter, type MembershipTrigger } from './membership.transitions';

/** What one user is to one group. Who has no relation to it has no row: `role` is null then, and nothing is stored. */
@Entity('group_members')
export class GroupMember {
  @KeyRef({ name: 'group_id' })
  groupId: number;

  @KeyRef({ name: 'user_id' })
  userId: number;

  @Column('text')
  role: GroupRole | null;

  /** Of the founder and members. */
  @Instant({ name: 'joined_at', nullable: true })
  joinedAt: Date | null;

  @Instant({ name: 'created_at', update: false })
  createdAt: Date;

  /** As its founder or as a member. */
  get belongs(): boolean {
    return this.role === 'owner' || this.role === 'member';
  }

  get isInvited(): boolean {
    return this.role === 'invited';
  }

  /** What the trigger does by the transition table; throws the table's refusal. */
  apply(trigger: MembershipTrigger, now: Date): void {
    this.role = roleAfter(trigger, this.role);
    this.joinedAt = this.belongs ? now : null;
  }
}

/** Somebody without a relation to the group. */
export function strangerTo(groupId: number, userId: number, now: Date): GroupMember {
  return Object.assign(new GroupMember(), {
    groupId,
    userId,
    role: null,
    joinedAt: null,
    createdAt: now,
  } satisfies Partial<GroupMember>);
}

/** The membership a group begins with. */
export function founderOf(groupId: number, userId: number, now: Date): GroupMember {
  return Object.assign(strangerTo(groupId, userId, now), {
    role: 'owner',
    joinedAt: now,
  } satisfies Partial<GroupMember>);
}
