import { Injectable } from '@nestjs/common';
import type { EventScope, ParticipationState } from '#contract/vocabulary';
import { Database, type Queryable } from '#platform/database/database';
import type { Page, Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import { EVENT_FOR_VIEWER, RELATED_EVENTS, RELATED_EVENTS_TOTAL } from './record/event-for-viewer.query';
import { discoverEventResource, type DiscoverEventResource, type ViewerEventRow } from './event-for-viewer.resource';

/** Events in the Discover shape, with a fresh `viewer`. */
@Injectable()
export class EventForViewerReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** One event; whether the caller may see it is asked before. */
  async show(on: Queryable, caller: Caller, eventId: number): Promise<DiscoverEventResource> {
    const [row] = await on.rows<ViewerEventRow>(EVENT_FOR_VIEWER, [caller.id, eventId]);
    if (!row) throw new Refusal('not_found');
    return this.resource(row, caller);
  }

  /** Events to which the caller stands in that relation; without a scope all of them, newest start first. */
  async related(caller: Caller, state: ParticipationState, scope: EventScope | undefined, slice: Slice): Promise<Page<DiscoverEventResource>> {
    const listing = { list: RELATED_EVENTS[scope ?? 'any'], total: RELATED_EVENTS_TOTAL[scope ?? 'any'] };
    const values = [caller.id, state, this.clock.now()];
    return readPage(this.database, listing, values, slice, (row: ViewerEventRow) => this.resource(row, caller));
  }

  /** A row of a query of another area, which selects VIEWER_COLUMNS. */
  resource(row: ViewerEventRow, caller: Caller): DiscoverEventResource {
    return discoverEventResource(row, caller, this.clock.now(), this.wire);
  }
}
