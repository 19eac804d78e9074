import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Slice } from '#platform/http/page';
import { isNarrow, type DiscoverFilter } from './discover.filter';
import type { DiscoverOrder } from './discover.order';
import {
  COMMON_FROM,
  discoverPage,
  type BriefRow,
  type Counted,
  type DiscoverEventRow,
  type DiscoverTotalsRow,
  type Way,
} from './discover.query';
import { DiscoverTotals, type CountedAnswer } from './discover.totals';

/** Which page is asked for, of which server. */
export interface PageAsked {
  readonly server: string;
  readonly viewerId: number;
  readonly filter: DiscoverFilter;
  readonly slice: Slice;
  readonly order: DiscoverOrder;
}

/** What was found of it; its rows in no order (`byPlace`). */
export interface PageFound<Row> extends CountedAnswer {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Finds pages of Discover with their totals, by what is known of lists like it. */
@Injectable()
export class DiscoverPages {
  constructor(
    private readonly database: Database,
    private readonly totals: DiscoverTotals,
  ) {}

  /** With all that is shown of its events. */
  whole(asked: PageAsked): Promise<PageFound<DiscoverEventRow>> {
    return this.find<DiscoverEventRow>(asked, false);
  }

  /** With what of them is not the same for everybody. */
  brief(asked: PageAsked): Promise<PageFound<BriefRow>> {
    return this.find<BriefRow>(asked, true);
  }

  private find<Row extends { id: string }>(
    { server, viewerId, filter, slice, order }: PageAsked,
    brief: boolean,
  ): Promise<PageFound<Row>> {
    return this.totals.during(server, filter, viewerId, async (counted, now) => {
      const ask = async (known: Counted | null): Promise<PageFound<Row> | null> => {
        const { sql, values } = discoverPage({
          viewerId,
          now,
          // A page by a cursor reads one event more than it shows, to know whether another page follows.
          limit: slice.limit + (slice.byCursor ? 1 : 0),
          offset: slice.offset,
          filter,
          order,
          way: wayFor(filter, known),
          known,
          brief,
        });
        return foundIn(await this.database.rows<DiscoverTotalsRow & Row>(sql, values), now);
      };
      // The first attempt finds nothing when what is hidden from the viewer has changed: then that is counted again.
      const found = (await ask(counted)) ?? (await ask(counted && { ...counted, hidden: null }));
      if (!found) throw new Error('a page of Discover came without its total');
      return found;
    });
  }
}

/** An empty list is scanned: only events that have come since the last count can match. */
function wayFor(filter: DiscoverFilter, known: Counted | null): Way {
  if (isNarrow(filter)) return known === null || known.listed < COMMON_FROM ? 'sort' : 'scan';
  if (!filter.text || known?.listed === 0) return 'scan';
  if (known === null) return 'count';
  return known.listed < COMMON_FROM ? 'sort' : 'scan';
}

/** Null when the events hidden from the viewer must be counted again. */
function foundIn<Row extends { id: string }>(
  rows: readonly (DiscoverTotalsRow & Row)[],
  at: Date,
): PageFound<Row> | null {
  const [first] = rows;
  if (!first) throw new Error('a page of Discover came without its total');
  if (first.hidden === null) return null;
  const { hides, snapshot } = first;
  const [listed, hidden] = [Number(first.listed), Number(first.hidden)];
  // An empty page is one row with totals only.
  const events = (first.id as string | null) === null ? [] : rows;
  return { rows: events, total: listed - hidden, counted: { listed, hidden, hides, snapshot, at } };
}
