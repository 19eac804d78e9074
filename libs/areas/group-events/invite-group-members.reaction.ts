import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import type { GroupEventCreated } from '../events/event.signal';
import { GroupsReader } from '../groups/groups.reader';
import { ParticipationCommands } from '../participation/participation.commands';

/** Invites all members of the group, except the organizer, to the group's new event (GRP-19). */
@Injectable()
export class InviteGroupMembers implements Reaction<GroupEventCreated> {
  constructor(
    private readonly groups: GroupsReader,
    private readonly participation: ParticipationCommands,
  ) {}

  async react(tx: Transaction, { eventId, groupId, organizerId }: GroupEventCreated): Promise<void> {
    await this.participation.inviteAll(tx, eventId, organizerId, await this.groups.memberIds(tx, groupId));
  }
}
