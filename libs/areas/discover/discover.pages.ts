import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Slice } from '#platform/http/page';
import { isNarrow, type DiscoverFilter } from './discover.filter';
import type { DiscoverOrder } from './discover.order';
import {
  COMMON_FROM,
  discoverPage,
  type CompactRow,
  type Counted,
  type DiscoverEventRow,
  type DiscoverTotalsRow,
  type PagePlan,
} from './discover.query';
import { DiscoverTotals } from './discover.totals';

/** The requested page, and the database server that the calling code has chosen (the primary or a replica). */
export interface PageRequest {
  readonly server: string;
  readonly viewerId: number;
  readonly filter: DiscoverFilter;
  readonly slice: Slice;
  readonly order: DiscoverOrder;
}

/**
 * The unsorted rows of a page (`DiscoverReader` sorts them), and the totals of the list. A page by cursor has one
 * additional row if another page follows.
 */
export interface PageFound<Row> {
  readonly counted: Counted;
  readonly rows: readonly Row[];
  readonly total: number;
  /**
   * The end of the boost that ended last. Null if no boost is known to have ended, and in orders that do not use
   * boosts.
   */
  readonly boostsEndedAt: Date | null;
}

/** Finds pages of Discover with their totals, and stores the totals of each filter in memory. */
@Injectable()
export class DiscoverPages {
  constructor(
    private readonly database: Database,
    private readonly totals: DiscoverTotals,
  ) {}

  /** A page with all columns of its events. */
  whole(request: PageRequest): Promise<PageFound<DiscoverEventRow>> {
    return this.find<DiscoverEventRow>(request, false);
  }

  /** A page with the columns that differ between viewers, the counts, and a fingerprint of the other columns. */
  compact(request: PageRequest): Promise<PageFound<CompactRow>> {
    return this.find<CompactRow>(request, true);
  }

  private async find<Row extends { id: string }>(request: PageRequest, isCompact: boolean): Promise<PageFound<Row>> {
    const openTotal = await this.totals.open(request.server, request.filter, request.viewerId);
    try {
      const { known, now } = openTotal;
      const found =
        (await this.read<Row>(request, isCompact, known, now)) ??
        // If the first query returns null, the stored number of events that are hidden from the viewer is out of date.
        // The second query counts these events.
        (await this.read<Row>(request, isCompact, known && { ...known, hidden: null }, now));
      if (!found) throw new Error('the query for a page of Discover did not count the hidden events');
      openTotal.store(found.counted);
      return found;
    } finally {
      openTotal.release();
    }
  }

  private async read<Row extends { id: string }>(
    { viewerId, filter, slice, order }: PageRequest,
    isCompact: boolean,
    known: Counted | null,
    now: Date,
  ): Promise<PageFound<Row> | null> {
    const plan = planFor(filter, known);
    const { offset, byCursor } = slice;
    // For a page by cursor, one more event is read than is shown, to detect whether another page follows.
    const limit = slice.limit + (byCursor ? 1 : 0);
    const { sql, values } = discoverPage({ viewerId, now, limit, offset, filter, order, plan, known, isCompact });
    return foundIn(await this.database.rows<DiscoverTotalsRow & Row>(sql, values), now);
  }
}

/**
 * Chooses how the page is found. If the known total is 0 and the filter contains no ids, a scan is the cheapest way:
 * the query first adds the latest changes to the total, and reads no events if the total is still 0.
 */
function planFor(filter: DiscoverFilter, known: Counted | null): PagePlan {
  // A filter by ids matches at most a hundred events, which are quickly sorted. Each other narrow filter has an index
  // in the order of the list. This index is scanned only if the total is known.
  if (isNarrow(filter)) return known === null || filter.ids !== null ? 'sort' : 'scan';
  if (!filter.text || known?.listed === 0) return 'scan';
  if (known === null) return 'count';
  return known.listed < COMMON_FROM ? 'sort' : 'scan';
}

/** Returns null if the events hidden from the viewer must be counted again. */
function foundIn<Row extends { id: string }>(
  rows: readonly (DiscoverTotalsRow & Row)[],
  at: Date,
): PageFound<Row> | null {
  const [first] = rows;
  if (!first) throw new Error('the query for a page of Discover returned no totals');
  if (first.hidden === null) return null;
  const [listed, hidden] = [Number(first.listed), Number(first.hidden)];
  // An empty page is one row that contains only totals.
  const events = (first.id as string | null) === null ? [] : rows;
  return {
    rows: events,
    total: listed - hidden,
    counted: { listed, hidden, snapshot: first.snapshot, at },
    boostsEndedAt: first.boosts_ended_at ?? null,
  };
}
