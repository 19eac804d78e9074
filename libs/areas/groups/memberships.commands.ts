import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { GroupRole } from '#contract/vocabulary';
import { statement, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Signals } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import { MembershipChanged } from './group.signal';
import { GroupMember, unrelatedMember } from './members/group-member.entity';
import type { MembershipTrigger } from './members/membership.transitions';

const CHANGE_MEMBERS_COUNT = statement(
  'groups_change_members_count',
  'UPDATE groups SET members_count = members_count + $2 WHERE id = $1',
);
const COUNT_PENDING_INVITATIONS = statement(
  'groups_count_pending_invitations',
  `SELECT count(*)::int AS pending FROM group_members WHERE group_id = $1 AND role = 'invited' AND joined_at IS NULL`,
);

/** Changes memberships according to the transition table, inside the transaction of the calling code. */
@Injectable()
export class MembershipsCommands {
  constructor(
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies the trigger to the user's membership of a group that the calling code has locked. Throws the refusal of the
   * transition table, 409 `invite_limit_reached` for the 31st pending invitation, and 409 `conflict` if `expectedRole`
   * is given and the user has another role. Returns the new role, or null if the user no longer has a relation to the
   * group.
   */
  async move(
    tx: Transaction,
    groupId: number,
    userId: number,
    trigger: MembershipTrigger,
    expectedRole?: string,
  ): Promise<GroupRole | null> {
    const now = this.clock.now();
    const stored = await tx.manager.findOneBy(GroupMember, { groupId, userId });
    const member = stored ?? unrelatedMember(groupId, userId, now);
    const { belongs: belonged, role } = member;
    member.apply(trigger, now);
    if (expectedRole !== undefined && role !== expectedRole) throw new Refusal('conflict');
    if (member.isInvited) await this.refuseAboveInvitationLimit(tx, groupId);

    if (member.role === null) await tx.manager.delete(GroupMember, { groupId, userId });
    else if (stored)
      await tx.manager.update(GroupMember, { groupId, userId }, { role: member.role, joinedAt: member.joinedAt });
    else await tx.manager.insert(GroupMember, member);

    const change = Number(member.belongs) - Number(belonged);
    if (change !== 0) await tx.rows(CHANGE_MEMBERS_COUNT, [groupId, change]);
    await this.signals.raise(tx, new MembershipChanged(groupId, userId, trigger, member.role));
    return member.role;
  }

  private async refuseAboveInvitationLimit(tx: Transaction, groupId: number): Promise<void> {
    const [row] = await tx.rows<{ pending: number }>(COUNT_PENDING_INVITATIONS, [groupId]);
    if (row && row.pending >= LIMITS.groups.pending_invitations) throw new Refusal('invite_limit_reached');
  }
}
