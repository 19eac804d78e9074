import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import type { GroupEventCreated } from '../events/event.signal';
import { GroupsReader } from '../groups/groups.reader';
import { INVITE_ALL } from './group-events.query';

/** Invites all who belong to the group, but the organizer, to its new event (api-spec, "Groups"; decisions, section 6). */
@Injectable()
export class InviteGroupMembers implements Reaction<GroupEventCreated> {
  constructor(
    private readonly groups: GroupsReader,
    private readonly clock: Clock,
  ) {}

  async react(tx: Transaction, { eventId, groupId, organizerId }: GroupEventCreated): Promise<void> {
    const memberIds = await this.groups.memberIds(tx, groupId);
    await tx.rows(INVITE_ALL, [eventId, memberIds.filter((id) => id !== organizerId), this.clock.now()]);
  }
}
