import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { sliceOf, type Page } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Clock } from '#platform/time/clock';
import { GroupAccessPolicy } from '../groups/group-access.policy';
import type { Caller } from '../identity/caller.reader';
import { EventForViewerReader } from '../participation/event-for-viewer.reader';
import type { GroupEventsQueryDto } from './group-event.dto';
import type { GroupEventResource, GroupEventRow } from './group-event.resource';
import { GROUP_EVENTS, GROUP_EVENTS_TOTAL, GROUP_LINKS, type GroupLinkRow } from './group-events.query';

/** The events of a group, for its members (GRP-20). */
@Injectable()
export class GroupEventsService {
  constructor(
    private readonly database: Database,
    private readonly access: GroupAccessPolicy,
    private readonly forViewer: EventForViewerReader,
    private readonly clock: Clock,
  ) {}

  /**
   * The group's events that the caller may see. Without a scope, the list contains past and future events, and
   * the event with the latest start comes first. The caller's membership is checked before the query is validated.
   */
  async list(caller: Caller, groupId: number, input: Input<GroupEventsQueryDto>): Promise<Page<GroupEventResource>> {
    await this.access.belonging(this.database, groupId, caller.id);
    const query = input.read();
    const { scope = 'any' } = query;
    const listing = { list: GROUP_EVENTS[scope], total: GROUP_EVENTS_TOTAL[scope] };
    const values = [caller.id, groupId, this.clock.now()];
    return readPage(this.database, listing, values, sliceOf(query), (row: GroupEventRow) => this.resource(row, caller));
  }

  /**
   * The events with these pairs of group id and event id, as `list` shows them. Omits events that the caller does not
   * see, and events that are not in the list of the group. The calling code must have checked the membership.
   */
  async byIds(
    on: Queryable,
    caller: Caller,
    pairs: readonly (readonly [number, number])[],
  ): Promise<{ groupId: number; eventId: number; event: GroupEventResource }[]> {
    const eventIds = pairs.map(([, eventId]) => eventId);
    const links = await on.rows<GroupLinkRow>(GROUP_LINKS, [pairs.map(([groupId]) => groupId), eventIds]);
    const events = await this.forViewer.showByIds(on, caller, eventIds);
    return links.flatMap(({ group_id, event_id, group_link }) => {
      const event = events.get(Number(event_id));
      return event ? [{ groupId: Number(group_id), eventId: Number(event_id), event: { ...event, group_link } }] : [];
    });
  }

  private resource(row: GroupEventRow, caller: Caller): GroupEventResource {
    return { ...this.forViewer.resource(row, caller), group_link: row.group_link };
  }
}
