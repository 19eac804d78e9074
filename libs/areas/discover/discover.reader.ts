import { Injectable } from '@nestjs/common';
import type { DiscoverSort } from '#contract/vocabulary';
import { Database } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { Page, sliceOf } from '#platform/http/page';
import { PublicIds } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import type { RenderedJson } from '#platform/http/rendered-json';
import { distanceKm } from '#platform/places/sphere';
import { Clock } from '#platform/time/clock';
import { GroupAccessPolicy } from '../groups/group-access.policy';
import type { Caller } from '../identity/caller.reader';
import { EventForViewerReader } from '../participation/event-for-viewer.reader';
import type { DiscoverEventResource, ViewerEventRow } from '../participation/event-for-viewer.resource';
import { decodeCursor, encodeCursor } from './discover.cursor';
import type { DiscoverQueryDto, ExploreQueryDto } from './discover.dto';
import { filterOf, type DiscoverFilter, type FilterIds, type Near } from './discover.filter';
import type { DiscoverOrder } from './discover.order';
import { DiscoverPages, type PageRequest, type PageFound } from './discover.pages';
import { compareDefaultOrder, LISTED_IDS, type ListPosition } from './discover.query';
import { RenderedEvents } from './rendered-events';

/** Reads lists of public events that have not ended, and single events. */
@Injectable()
export class DiscoverReader {
  constructor(
    private readonly database: Database,
    private readonly reading: ReadingDatabase,
    private readonly forViewer: EventForViewerReader,
    private readonly pages: DiscoverPages,
    private readonly renderedEvents: RenderedEvents,
    private readonly clock: Clock,
    private readonly ids: PublicIds,
    private readonly groups: GroupAccessPolicy,
  ) {}

  /**
   * A page of other people's events (DISC-1). Throws 422 if `filterOf` refuses the query, or if the cursor cannot be
   * used.
   */
  async list(caller: Caller, query: DiscoverQueryDto): Promise<Page<DiscoverEventResource | RenderedJson>> {
    return this.page<DiscoverEventResource | RenderedJson>(
      caller,
      query,
      false,
      async (request) => (await this.renderedPage(request, caller)) ?? this.resourcePage(request, caller),
    );
  }

  /** Like `list`, including the caller's own events; used by the web pages (PAGE-26). */
  async explore(caller: Caller, query: ExploreQueryDto): Promise<Page<DiscoverEventResource>> {
    return this.page(caller, query, true, (request) => this.resourcePage(request, caller));
  }

  /** The row ids of at most `limit` events that Discover lists for everyone. The earliest event is first. */
  async listedIds(limit: number): Promise<number[]> {
    return (await this.database.rows<{ id: string }>(LISTED_IDS, [this.clock.now(), limit])).map(({ id }) =>
      Number(id),
    );
  }

  /** Returns one event that the caller sees. Throws 403 `banned` or 404 for other events. */
  show(caller: Caller, eventId: number): Promise<DiscoverEventResource> {
    return this.forViewer.show(this.database, caller, eventId);
  }

  private async page<Item>(
    caller: Caller,
    query: DiscoverQueryDto,
    includesOwn: boolean,
    read: (request: PageRequest) => Promise<Page<Item>>,
  ): Promise<Page<Item>> {
    const ids = this.idsIn(query);
    const filter = { ...filterOf(query, ids), includesOwn };
    const order = orderOf(query, filter.near);
    const slice = { ...sliceOf(query), byCursor: order.after !== null };
    return this.reading.during(async (server) =>
      (await this.canMatch(caller, query, ids))
        ? read({ server, viewerId: caller.id, filter, slice, order })
        : new Page<Item, NextCursor>([], 0, slice, { next_cursor: null }),
    );
  }

  private idsIn({ ids, group, series }: DiscoverQueryDto): FilterIds {
    const eventIds = ids
      ?.split(',')
      .map((id) => this.ids.decodeEvent(id.trim()))
      .filter((id) => id !== null);
    return {
      ids: eventIds === undefined ? null : [...new Set(eventIds)],
      groupId: group === undefined ? null : this.ids.decode('group', group),
      seriesId: series === undefined ? null : this.ids.decode('series', series),
    };
  }

  /**
   * False if the query has a group that does not exist or that the caller does not see, or a series with an invalid id.
   */
  private async canMatch(
    caller: Caller,
    { group, series }: DiscoverQueryDto,
    { groupId, seriesId }: FilterIds,
  ): Promise<boolean> {
    if (series !== undefined && seriesId === null) return false;
    if (group === undefined) return true;
    return groupId !== null && (await this.groups.isSeenBy(this.database, groupId, caller.id));
  }

  /** Null if an event was changed or deleted after the page was read and before the fields to render were read. */
  private async renderedPage(request: PageRequest, caller: Caller): Promise<Page<RenderedJson> | null> {
    const { rows, ...found } = await this.pages.compact(request);
    const events = await this.renderedEvents.eventsOf(rows);
    return (
      events &&
      pageOf(request, { ...found, rows: events }, (event) =>
        this.renderedEvents.json(event, distanceTo(event, request.filter), caller),
      )
    );
  }

  private async resourcePage(request: PageRequest, caller: Caller): Promise<Page<DiscoverEventResource>> {
    return pageOf(request, await this.pages.whole(request), (row) =>
      this.forViewer.resource({ ...row, distance_km: distanceTo(row, request.filter) }, caller),
    );
  }
}

/** The property of `meta` that only pages of Discover have. */
interface NextCursor {
  readonly next_cursor: string | null;
}

/** @throws Refusal 422 on `cursor` if the text is not a cursor, or if it is a cursor for another order or place */
function orderOf({ sort = 'default', cursor }: DiscoverQueryDto, near: Near | null): DiscoverOrder {
  if (cursor === undefined) return { sort, near, after: null };
  const after = decodeCursor(cursor, sort, placeOf(sort, near));
  if (!after) throw Refusal.invalid('cursor', 'cursor');
  return { sort, near, after };
}

function placeOf(sort: DiscoverSort, near: Near | null): readonly [number, number] | null {
  return sort === 'distance' && near ? [near.lat, near.lng] : null;
}

function pageOf<Row extends ListPosition, Item extends object>(
  { slice, order }: PageRequest,
  { rows, total, boostsEndedAt }: PageFound<Row>,
  show: (row: Row) => Item,
): Page<Item, NextCursor> {
  const sorted = [...rows].sort(inOrder(order));
  const shown = sorted.slice(0, slice.limit);
  const last = shown.at(-1);
  const hasMore = slice.byCursor ? sorted.length > slice.limit : slice.offset + shown.length < total;
  return new Page(shown.map(show), total, slice, {
    next_cursor: last && hasMore ? cursorAfter(last, order, boostsEndedAt) : null,
  });
}

/** As long as the list does not change, a page always has the same cursor, so that the response can be a 304. */
function cursorAfter(
  { id, boosted, starts_at, key }: ListPosition,
  { sort, near, after }: DiscoverOrder,
  boostsEndedAt: Date | null,
): string {
  const value = key ?? starts_at;
  return encodeCursor({
    sort,
    boosted: sort === 'default' && boosted,
    key: value instanceof Date ? value.getTime() : value,
    id: Number(id),
    boostTime: after?.boostTime ?? boostsEndedAt?.getTime() ?? 0,
    from: placeOf(sort, near),
  });
}

function inOrder({ sort }: DiscoverOrder): (a: ListPosition, b: ListPosition) => number {
  if (sort === 'default') return compareDefaultOrder;
  const sign = sort === 'created_at' ? -1 : 1;
  return (a, b) => sign * (Number(a.key) - Number(b.key) || Number(a.id) - Number(b.id));
}

/** `distance_km`; undefined if the query has no place or the event has no coordinates (DISC-12). */
function distanceTo(
  { latitude, longitude }: Pick<ViewerEventRow, 'latitude' | 'longitude'>,
  { near }: DiscoverFilter,
): number | undefined {
  if (!near || latitude === null || longitude === null) return undefined;
  return Math.round(distanceKm(near, { lat: latitude, lng: longitude }) * 100) / 100;
}
