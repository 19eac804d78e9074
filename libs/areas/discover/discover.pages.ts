import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Grounds } from '#platform/http/grounds';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import type { Slice } from '#platform/http/page';
import type { DiscoverFilter } from './discover.filter';
import { isWithinHead, type Head } from './discover.head';
import { COMMON_FROM, discoverPage, type BriefRow, type Counted, type DiscoverEventRow, type DiscoverTotalsRow, type Way } from './discover.query';
import { DiscoverTotals, type AnswerOf } from './discover.totals';
import { PageGrounds, type Grounded } from './page.grounds';

/** Which page is asked for, of which server. */
export interface PageAsked {
  readonly server: string;
  readonly viewerId: number;
  readonly filter: DiscoverFilter;
  readonly slice: Slice;
  /** With what the events are shown by, to be held against later. */
  readonly marked: boolean;
}

/** What was found of it; its rows in no order (`byPlace`). */
export interface PageFound<Row> extends AnswerOf {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Finds pages of Discover with their totals, by what is known of lists like it. */
@Injectable()
export class DiscoverPages {
  constructor(
    private readonly database: Database,
    private readonly reading: ReadingDatabase,
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

  /** What a page stands on that was found `marked`; its rows in the list's order. */
  grounds(asked: PageAsked, rows: readonly Grounded[], counted: Counted): Grounds {
    return new PageGrounds(this.database, this.reading, this.totals, { ...asked, rows, counted });
  }

  private find<Row extends { id: string }>({ server, viewerId, filter, slice, marked }: PageAsked, brief: boolean): Promise<PageFound<Row>> {
    return this.totals.during(server, filter, viewerId, async ({ counted, head }, now) => {
      const ask = async (known: Counted | null, from: Head | 'find' | null): Promise<PageFound<Row> | null> => {
        const way = wayFor(filter, known, from);
        const { sql, values } = discoverPage({ viewerId, now, limit: slice.limit, offset: slice.offset, filter, way, known, head: from, brief, marked });
        return foundIn(await this.database.rows<DiscoverTotalsRow & Row>(sql, values), now, slice, from);
      };
      const first = await ask(counted, headFor(filter, slice, counted, head));
      // A list that was empty is scanned without its head, which is dropped: once an event has come, it is no longer the list's.
      if (first) return counted?.listed === 0 ? { head: null, ...first } : first;
      // What was known of the list's beginning, or of what is hidden, is so no more.
      const again = (await ask(counted, null)) ?? (await ask(counted && { ...counted, hidden: null }, null));
      if (!again) throw new Error('a page of Discover came without its total');
      return { head: null, ...again };
    });
  }
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

/** Null when what is hidden from the viewer is to be counted anew, or the head does not hold the whole page. */
function foundIn<Row extends { id: string }>(rows: readonly (DiscoverTotalsRow & Row)[], at: Date, { limit }: Slice, from: Head | 'find' | null): PageFound<Row> | null {
  const [first] = rows;
  if (!first) throw new Error('a page of Discover came without its total');
  if (first.hidden === null || first.holds === false) return null;
  const { hides, snapshot } = first;
  const [listed, hidden] = [Number(first.listed), Number(first.hidden)];
  // An empty page is one row of totals alone.
  const events = (first.id as string | null) === null ? [] : rows;
  const found = headIn(first, at);
  const known = from === 'find' ? found : from;
  if (known && !known.complete && events.length < limit) return null;
  return { rows: events, total: listed - hidden, counted: { listed, hidden, hides, snapshot, at }, ...(found && { head: found }) };
}

function headIn({ head, head_complete, head_until, snapshot }: DiscoverTotalsRow, at: Date): Head | null {
  if (head === undefined || typeof head_complete !== 'boolean') return null;
  return { ids: head ?? '{}', complete: head_complete, snapshot, since: at, until: head_until ?? null };
}
