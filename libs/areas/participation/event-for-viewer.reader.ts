import { Injectable } from '@nestjs/common';
import type { EventScope, ParticipationState } from '#contract/vocabulary';
import { Database, type Queryable } from '#platform/database/database';
import type { Rows, Slice } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';
import { Wire } from '#platform/http/wire';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import { EVENT_FOR_VIEWER, RELATED_EVENTS, RELATED_EVENTS_TOTAL } from './event-for-viewer.query';
import { discoverEventResource, type DiscoverEventResource, type ViewerEventRow } from './event-for-viewer.resource';

/** Events in the Discover shape, with a fresh `viewer`. */
@Injectable()
export class EventForViewerReader {
  constructor(
    private readonly database: Database,
    private readonly wire: Wire,
    private readonly clock: Clock,
  ) {}

  /** One event; whether the caller may see it is asked before. */
  async show(on: Queryable, caller: Caller, eventId: number): Promise<DiscoverEventResource> {
    const [row] = await on.rows<ViewerEventRow>(EVENT_FOR_VIEWER, [caller.id, eventId]);
    if (!row) throw new Refusal('not_found');
    return this.resource(row, caller);
  }

  /** Events to which the caller stands in that relation; without a scope all of them, newest start first. */
  async related(caller: Caller, state: ParticipationState, scope: EventScope | undefined, slice: Slice): Promise<Rows<DiscoverEventResource>> {
    const now = this.clock.now();
    const [rows, totals] = await Promise.all([
      this.database.rows<ViewerEventRow>(RELATED_EVENTS[scope ?? 'any'], [caller.id, state, now, slice.limit, slice.offset]),
      this.database.rows<{ total: number }>(RELATED_EVENTS_TOTAL[scope ?? 'any'], [caller.id, state, now]),
    ]);
    return { items: rows.map((row) => this.resource(row, caller)), total: totals[0]?.total ?? 0 };
  }

  resource(row: ViewerEventRow, caller: Caller): DiscoverEventResource {
    return discoverEventResource(row, caller, this.clock.now(), this.wire);
  }
}
