import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import { EventsCommands } from '../events/events.commands';
import type { GroupDeleted } from '../groups/group.signal';

/**
 * Sets `group_id` of the group's events to null before the group is deleted. The events remain. The foreign key (`ON
 * DELETE SET NULL`) would do the same, but would lock the events after the group. Events must be locked before groups.
 */
@Injectable()
export class ReleaseGroupEvents implements Reaction<GroupDeleted> {
  constructor(private readonly events: EventsCommands) {}

  async react(tx: Transaction, { groupId }: GroupDeleted): Promise<void> {
    await this.events.releaseFromGroup(tx, groupId);
  }
}
