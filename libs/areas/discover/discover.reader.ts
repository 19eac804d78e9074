import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { isAskedAgain, restingOn } from '#platform/http/grounds';
import { Page, sliceOf, type Slice } from '#platform/http/page';
import { distanceKm } from '#platform/places/sphere';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { EventForViewerReader } from '../participation/event-for-viewer.reader';
import type { DiscoverEventResource, ViewerEventRow } from '../participation/event-for-viewer.resource';
import type { DiscoverQueryDto, ExploreQueryDto } from './discover.dto';
import { filterOf, type DiscoverFilter } from './discover.filter';
import { isWithinHead, type Head } from './discover.head';
import { byPlace, COMMON_FROM, discoverPage, LISTED_IDS, type Counted, type DiscoverEventRow, type DiscoverTotalsRow, type Way } from './discover.query';
import { DiscoverTotals, type AnswerOf } from './discover.totals';
import { PageGrounds } from './page.grounds';

/** Public events that have not ended, for those who look for some. */
@Injectable()
export class DiscoverReader {
  constructor(
    private readonly database: Database,
    private readonly reading: ReadingDatabase,
    private readonly access: EventAccessPolicy,
    private readonly forViewer: EventForViewerReader,
    private readonly totals: DiscoverTotals,
    private readonly clock: Clock,
  ) {}

  /** Other people's (DISC-1): a page in one round trip. Throws 422 when two parameters do not fit together. */
  async list(caller: Caller, query: DiscoverQueryDto): Promise<Page<DiscoverEventResource>> {
    const [filter, slice] = [filterOf(query), sliceOf(query)];
    return this.reading.during((server) => this.page(server, caller, filter, slice));
  }

  /** As `list`, with the caller's own among them, for the pages (PAGE-26). */
  async explore(caller: Caller, { price, ...query }: ExploreQueryDto): Promise<Page<DiscoverEventResource>> {
    const [filter, slice] = [{ ...filterOf(query), price: price ?? null, ownToo: true }, sliceOf(query)];
    return this.reading.during((server) => this.page(server, caller, filter, slice));
  }

  /** Rows' ids of what Discover lists for everybody, by start. */
  async listedIds(atMost: number): Promise<number[]> {
    return (await this.database.rows<{ id: string }>(LISTED_IDS, [this.clock.now(), atMost])).map(({ id }) => Number(id));
  }

  /** One event, to whoever may see it. */
  async show(caller: Caller, eventId: number): Promise<DiscoverEventResource> {
    await this.access.visible(this.database, eventId, caller.id);
    return isAskedAgain() ? this.forViewer.showAgain(caller, eventId) : this.forViewer.show(this.database, caller, eventId);
  }

  private async page(server: string, caller: Caller, filter: DiscoverFilter, slice: Slice): Promise<Page<DiscoverEventResource>> {
    const marked = isAskedAgain() && canStand(filter);
    const { rows, total, counted: found } = await this.totals.during(server, filter, caller.id, async ({ counted, head }, now) => {
      const ask = async (known: Counted | null, from: Head | 'find' | null): Promise<Found | null> => {
        const way = wayFor(filter, known, from);
        const { sql, values } = discoverPage({ viewerId: caller.id, now, limit: slice.limit, offset: slice.offset, filter, way, known, head: from, marked });
        return foundIn(await this.database.rows<DiscoverTotalsRow & DiscoverEventRow>(sql, values), now, slice, from);
      };
      const first = await ask(counted, headFor(filter, slice, counted, head));
      // A list that was empty is scanned without its head, which is dropped: once an event has come, it is no longer the list's.
      if (first) return counted?.listed === 0 ? { head: null, ...first } : first;
      // What was known of the list's beginning, or of what is hidden, is so no more.
      const again = (await ask(counted, null)) ?? (await ask(counted && { ...counted, hidden: null }, null));
      if (!again) throw new Error('a page of Discover came without its total');
      return { head: null, ...again };
    });
    const items = rows.map((row) => this.forViewer.resource(withDistance(row, filter), caller));
    // One of the list that is not there, by a change just under way, has no mark to hold anything against.
    const isWhole = rows.length === Math.min(slice.limit, Math.max(0, total - slice.offset));
    if (marked && isWhole) restingOn(items, new PageGrounds(this.database, this.reading, this.totals, { server, viewerId: caller.id, filter, rows, counted: found }));
    return new Page(items, total, slice);
  }
}

/** Joins and prices are no changes of the list that are noted. */
function canStand({ minParticipants, price }: DiscoverFilter): boolean {
  return minParticipants === null && price === null;
}

/** Whether the page is made from the head, or finds one on its way: where the scan is long, and in nothing but the list's order. */
function headFor(filter: DiscoverFilter, { limit, offset }: Slice, known: Counted | null, head: Head | 'find' | null): Head | 'find' | null {
  if (head === null || known === null || known.listed === 0 || !isWithinHead(limit, offset)) return null;
  return head === 'find' && (known.hidden === null || known.listed < COMMON_FROM || filter.near !== null) ? null : head;
}

/** Where nothing was found, what has come since is all there is to look through: a scan does that alone. */
function wayFor(filter: DiscoverFilter, known: Counted | null, from: Head | 'find' | null): Way {
  if (!filter.text || from !== null || known?.listed === 0) return 'scan';
  if (known === null) return 'count';
  return known.listed < COMMON_FROM ? 'sort' : 'scan';
}

interface Found extends AnswerOf {
  readonly rows: readonly ViewerEventRow[];
  readonly total: number;
}

/** Null when what is hidden from the viewer is to be counted anew, or the head does not hold the whole page. */
function foundIn(rows: readonly (DiscoverTotalsRow & DiscoverEventRow)[], at: Date, { limit }: Slice, from: Head | 'find' | null): Found | null {
  const [first] = rows;
  if (!first) throw new Error('a page of Discover came without its total');
  if (first.hidden === null || first.holds === false) return null;
  const { hides, snapshot } = first;
  const [listed, hidden] = [Number(first.listed), Number(first.hidden)];
  // An empty page is one row of totals alone.
  const events = (first.id as string | null) === null ? [] : [...rows].sort(byPlace);
  const found = headIn(first, at);
  const known = from === 'find' ? found : from;
  if (known && !known.complete && events.length < limit) return null;
  return { rows: events, total: listed - hidden, counted: { listed, hidden, hides, snapshot, at }, ...(found && { head: found }) };
}

function headIn({ head, head_complete, head_until, snapshot }: DiscoverTotalsRow, at: Date): Head | null {
  if (head === undefined || typeof head_complete !== 'boolean') return null;
  return { ids: head ?? '{}', complete: head_complete, snapshot, since: at, until: head_until ?? null };
}

/** `distance_km`, only when it is asked for where an event is from (DISC-12). */
function withDistance(row: ViewerEventRow, { near }: DiscoverFilter): ViewerEventRow {
  if (near && row.latitude !== null && row.longitude !== null) {
    row.distance_km = Math.round(distanceKm(near, { lat: row.latitude, lng: row.longitude }) * 100) / 100;
  }
  return row;
}
