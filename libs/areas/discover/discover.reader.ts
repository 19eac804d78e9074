import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { Page, sliceOf } from '#platform/http/page';
import type { RenderedJson } from '#platform/http/rendered-json';
import { distanceKm } from '#platform/places/sphere';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { EventForViewerReader } from '../participation/event-for-viewer.reader';
import type { DiscoverEventResource, ViewerEventRow } from '../participation/event-for-viewer.resource';
import type { DiscoverQueryDto, ExploreQueryDto } from './discover.dto';
import { filterOf, type DiscoverFilter } from './discover.filter';
import { DiscoverPages, type PageRequest, type PageFound } from './discover.pages';
import { byPlace, LISTED_IDS, type Placed } from './discover.query';
import { RenderedEvents } from './rendered-events';

/** Reads of public events that have not ended. */
@Injectable()
export class DiscoverReader {
  constructor(
    private readonly database: Database,
    private readonly reading: ReadingDatabase,
    private readonly access: EventAccessPolicy,
    private readonly forViewer: EventForViewerReader,
    private readonly pages: DiscoverPages,
    private readonly renderedEvents: RenderedEvents,
    private readonly clock: Clock,
  ) {}

  /** Other people's events (DISC-1), a page in one round trip. Throws 422 if two parameters contradict each other. */
  async list(caller: Caller, query: DiscoverQueryDto): Promise<Page<DiscoverEventResource | RenderedJson>> {
    const [filter, slice] = [filterOf(query), sliceOf(query)];
    return this.reading.during(async (server) => {
      const request = { server, viewerId: caller.id, filter, slice };
      return (await this.rendered(request, caller)) ?? this.whole(request, caller);
    });
  }

  /** Like `list`, including the caller's own events, for the pages (PAGE-26). */
  async explore(caller: Caller, { price, ...query }: ExploreQueryDto): Promise<Page<DiscoverEventResource>> {
    const [filter, slice] = [{ ...filterOf(query), price: price ?? null, ownToo: true }, sliceOf(query)];
    return this.reading.during((server) => this.whole({ server, viewerId: caller.id, filter, slice }, caller));
  }

  /** Row ids of the events that Discover lists for everyone, by start. */
  async listedIds(atMost: number): Promise<number[]> {
    return (await this.database.rows<{ id: string }>(LISTED_IDS, [this.clock.now(), atMost])).map(({ id }) =>
      Number(id),
    );
  }

  /** One event that the caller may see. */
  async show(caller: Caller, eventId: number): Promise<DiscoverEventResource> {
    await this.access.visible(this.database, eventId, caller.id);
    return this.forViewer.show(this.database, caller, eventId);
  }

  /** Null: an event has changed between the two queries. */
  private async rendered(request: PageRequest, caller: Caller): Promise<Page<RenderedJson> | null> {
    const { rows, ...found } = await this.pages.brief(request);
    const events = await this.renderedEvents.of(rows);
    return (
      events &&
      this.page(request, { ...found, rows: events }, (event) =>
        this.renderedEvents.json(event, distanceTo(event, request.filter), caller),
      )
    );
  }

  private async whole(request: PageRequest, caller: Caller): Promise<Page<DiscoverEventResource>> {
    return this.page(request, await this.pages.whole(request), (row) =>
      this.forViewer.resource({ ...row, distance_km: distanceTo(row, request.filter) }, caller),
    );
  }

  private page<Row extends Placed, Item extends object>(
    { slice }: PageRequest,
    { rows, total }: PageFound<Row>,
    show: (row: Row) => Item,
  ): Page<Item> {
    return new Page([...rows].sort(byPlace).map(show), total, slice);
  }
}

/** `distance_km`, only if the query has a place (DISC-12). */
function distanceTo(
  { latitude, longitude }: Pick<ViewerEventRow, 'latitude' | 'longitude'>,
  { near }: DiscoverFilter,
): number | undefined {
  if (!near || latitude === null || longitude === null) return undefined;
  return Math.round(distanceKm(near, { lat: latitude, lng: longitude }) * 100) / 100;
}
