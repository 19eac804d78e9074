import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { sliceOf, type Page } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Clock } from '#platform/time/clock';
import { GroupAccessPolicy } from '../groups/group-access.policy';
import type { Caller } from '../identity/caller.reader';
import { EventForViewerReader } from '../participation/event-for-viewer.reader';
import type { GroupEventsQueryDto } from './group-event.dto';
import type { GroupEventResource, GroupEventRow } from './group-event.resource';
import { GROUP_EVENTS, GROUP_EVENTS_TOTAL } from './group-events.query';

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
    const events = await readPage<GroupEventRow>(this.database, listing, values, sliceOf(query));
    return events.map((row) => this.resource(row, caller));
  }

  private resource(row: GroupEventRow, caller: Caller): GroupEventResource {
    return { ...this.forViewer.resource(row, caller), group_link: row.group_link };
  }
}
