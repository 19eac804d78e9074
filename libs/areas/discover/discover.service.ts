import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { sliceOf, type PageQueryDto, type Rows } from '#platform/http/page';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import type { ViewerEventRow } from '../participation/event-for-viewer.resource';
import { EventForViewerReader } from '../participation/event-for-viewer.reader';
import type { DiscoverEventResource } from '../participation/event-for-viewer.resource';
import { DISCOVER_PAGE, DISCOVER_TOTAL } from './discover.query';

@Injectable()
export class DiscoverService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly forViewer: EventForViewerReader,
    private readonly clock: Clock,
  ) {}

  async list(caller: Caller, query: PageQueryDto): Promise<Rows<DiscoverEventResource>> {
    const now = this.clock.now();
    const { limit, offset } = sliceOf(query);
    const [rows, totals] = await Promise.all([
      this.database.rows<ViewerEventRow>(DISCOVER_PAGE, [caller.id, now, limit, offset]),
      this.database.rows<{ total: number }>(DISCOVER_TOTAL, [caller.id, now]),
    ]);
    return { items: rows.map((row) => this.forViewer.resource(row, caller)), total: totals[0]?.total ?? 0 };
  }

  async show(caller: Caller, eventId: number): Promise<DiscoverEventResource> {
    await this.access.visible(this.database, eventId, caller.id);
    return this.forViewer.show(this.database, caller, eventId);
  }
}
