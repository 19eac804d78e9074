import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import type { Caller } from '../identity/caller.reader';
import { EventForViewerReader } from '../participation/event-for-viewer.reader';
import type { GroupEventResource } from './group-event.resource';
import { GROUP_LINKS, type GroupLinkRow } from './group-events.query';

/** Reads entries of a group's list of events, for the feed of changes. */
@Injectable()
export class GroupEventsReader {
  constructor(private readonly forViewer: EventForViewerReader) {}

  /**
   * The events with these pairs of group id and event id, as the list of the group's events shows them. Omits events
   * that the caller does not see, and events that are not in the list of the group. The calling code must have checked
   * the membership.
   */
  async byIds(
    database: Queryable,
    caller: Caller,
    pairs: readonly (readonly [number, number])[],
  ): Promise<{ groupId: number; eventId: number; event: GroupEventResource }[]> {
    const eventIds = pairs.map(([, eventId]) => eventId);
    const links = await database.rows<GroupLinkRow>(GROUP_LINKS, [pairs.map(([groupId]) => groupId), eventIds]);
    const events = await this.forViewer.showByIds(database, caller, eventIds);
    return links.flatMap(({ group_id, event_id, group_link }) => {
      const event = events.get(Number(event_id));
      return event ? [{ groupId: Number(group_id), eventId: Number(event_id), event: { ...event, group_link } }] : [];
    });
  }
}
