import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { GroupRole } from '#contract/vocabulary';
import { statement, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { roleAfter, type MembershipTrigger } from './members/membership.transitions';

const ROLE = statement('groups_role', 'SELECT role FROM group_members WHERE group_id = $1 AND user_id = $2');

const BEGIN = statement(
  'groups_begin_membership',
  'INSERT INTO group_members (group_id, user_id, role, joined_at, created_at) VALUES ($1, $2, $3, $4, $5)',
);
const CHANGE = statement('groups_change_membership', 'UPDATE group_members SET role = $3, joined_at = $4 WHERE group_id = $1 AND user_id = $2');
const END = statement('groups_end_membership', 'DELETE FROM group_members WHERE group_id = $1 AND user_id = $2');

const COUNT_MEMBERS = statement('groups_count_members', 'UPDATE groups SET members_count = members_count + $2 WHERE id = $1');
const PENDING_INVITATIONS = statement(
  'groups_pending_invitations',
  `SELECT count(*)::int AS pending FROM group_members WHERE group_id = $1 AND role = 'invited' AND joined_at IS NULL`,
);

/** Moves memberships as the transition table says, inside a transaction of the one who asks. */
@Injectable()
export class MembershipsCommands {
  constructor(private readonly clock: Clock) {}

  /**
   * What the trigger does to the user's membership of the group, which the caller has locked; throws the table's refusal, and
   * 409 `invite_limit_reached` for the 31st pending invitation. Returns the role afterwards, null for no relation.
   */
  async move(tx: Transaction, groupId: number, userId: number, trigger: MembershipTrigger): Promise<GroupRole | null> {
    const [row] = await tx.rows<{ role: GroupRole }>(ROLE, [groupId, userId]);
    const before = row?.role ?? null;
    const after = roleAfter(trigger, before);
    if (after === 'invited') await this.refuseAboveInvitationLimit(tx, groupId);

    const now = this.clock.now();
    const joinedAt = after === 'member' ? now : null;
    if (after === null) await tx.rows(END, [groupId, userId]);
    else if (before === null) await tx.rows(BEGIN, [groupId, userId, after, joinedAt, now]);
    else await tx.rows(CHANGE, [groupId, userId, after, joinedAt]);

    const change = Number(after === 'member') - Number(before === 'member');
    if (change !== 0) await tx.rows(COUNT_MEMBERS, [groupId, change]);
    return after;
  }

  private async refuseAboveInvitationLimit(tx: Transaction, groupId: number): Promise<void> {
    const [row] = await tx.rows<{ pending: number }>(PENDING_INVITATIONS, [groupId]);
    if (row && row.pending >= LIMITS.groups.pending_invitations) throw new Refusal('invite_limit_reached');
  }
}
