import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import { lockEventForChange, preventDeletion } from '../events/event-locks';
import { isListable } from '../events/event-relation';
import { GroupAccessPolicy } from '../groups/group-access.policy';
import { GroupsReader } from '../groups/groups.reader';
import type { Caller } from '../identity/caller.reader';
import { ADD_INTEREST, INTERESTED_GROUPS, REMOVE_INTEREST } from './group-events.query';

/** Adds and removes interests. An interest links a group with an event that is not the group's own (GRP-21). */
@Injectable()
export class InterestService {
  constructor(
    private readonly database: Database,
    private readonly groupAccess: GroupAccessPolicy,
    private readonly eventAccess: EventAccessPolicy,
    private readonly groups: GroupsReader,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws the errors of `GroupAccessPolicy.belonging` and of `EventAccessPolicy.visible`; 404 if the event or the
   * caller's membership has been deleted in the meantime; then 409 `conflict` if the event is not public, not active or
   * one of the group's own events. Adding the same event again has no effect.
   */
  async add(caller: Caller, groupId: number, eventId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.groupAccess.belonging(tx, groupId, caller.id);
      await this.eventAccess.visible(tx, eventId, caller.id);
      const event = await preventDeletion(tx, eventId);
      const stillBelongs = await this.groups.lockMembership(tx, groupId, caller.id);
      if (!event || !stillBelongs) throw new Refusal('not_found');
      if (!isListable(event) || Number(event.group_id) === groupId) throw new Refusal('conflict');
      await tx.rows(ADD_INTEREST, [groupId, eventId, caller.id, this.clock.now()]);
    });
  }

  /** The owner and every member of the group may remove an interest. Throws 404 if the group has no such interest. */
  async remove(caller: Caller, groupId: number, eventId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.groupAccess.belonging(tx, groupId, caller.id);
      // Two groups can remove their interests in one event at the same time. Without this lock, each transaction would
      // still find the interest of the other group, and people who belong to both groups would get no `event.gone`
      // (CHG-6).
      await lockEventForChange(tx, eventId);
      const removed = await tx.rows(REMOVE_INTEREST, [groupId, eventId]);
      if (removed.length === 0) throw new Refusal('not_found');
    });
  }

  /** The row ids of all groups that are interested in the event, including private groups. */
  async interestedGroupIds(eventId: number): Promise<number[]> {
    const rows = await this.database.rows<{ group_id: string }>(INTERESTED_GROUPS, [eventId]);
    return rows.map(({ group_id }) => Number(group_id));
  }
}
