import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { sliceOf, type PageQueryDto, type Rows } from '#platform/http/page';
import { Clock } from '#platform/time/clock';
import { GroupAccessPolicy } from '../groups/group-access.policy';
import type { Caller } from '../identity/caller.reader';
import { EventForViewerReader } from '../participation/event-for-viewer.reader';
import type { GroupEventsQueryDto } from './group-event.dto';
import type { GroupEventResource, GroupEventRow } from './group-event.resource';
import { GROUP_EVENTS, GROUP_EVENTS_TOTAL } from './group-events.query';

/** The events of a group, for those who belong to it (api-spec, GET /groups/{id}/events). */
@Injectable()
export class GroupEventsService {
  constructor(
    private readonly database: Database,
    private readonly access: GroupAccessPolicy,
    private readonly forViewer: EventForViewerReader,
    private readonly clock: Clock,
  ) {}

  /** What the caller may see of them; without a scope all, newest start first. Reads the query once it is clear who asks. */
  async list(
    caller: Caller,
    groupId: number,
    input: Input<GroupEventsQueryDto>,
  ): Promise<{ query: PageQueryDto; events: Rows<GroupEventResource> }> {
    await this.access.belonging(this.database, groupId, caller.id);
    const query = input.read();
    const scope = query.scope ?? 'any';
    const { limit, offset } = sliceOf(query);
    const now = this.clock.now();
    const [rows, totals] = await Promise.all([
      this.database.rows<GroupEventRow>(GROUP_EVENTS[scope], [caller.id, groupId, now, limit, offset]),
      this.database.rows<{ total: number }>(GROUP_EVENTS_TOTAL[scope], [caller.id, groupId, now]),
    ]);
    const items = rows.map((row) => ({ ...this.forViewer.resource(row, caller), group_link: row.group_link }));
    return { query, events: { items, total: totals[0]?.total ?? 0 } };
  }
}
