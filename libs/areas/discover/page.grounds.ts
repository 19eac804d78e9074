import type { Database } from '#platform/database/database';
import type { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { isWithin, type Grounds } from '#platform/http/grounds';
import { spanOf } from '../participation/event-for-viewer.reader';
import type { ViewerEventRow } from '../participation/event-for-viewer.resource';
import type { DiscoverFilter } from './discover.filter';
import { PAGE_STANDS, type Counted } from './discover.query';
import type { DiscoverTotals } from './discover.totals';

/** What of an event says how it was shown, and how long time leaves that alone. */
export type Grounded = Pick<ViewerEventRow, 'id' | 'mark' | 'over_at' | 'boosted_until'>;

/** A page as it was found. */
interface FoundPage {
  /** Of which it was asked. */
  readonly server: string;
  readonly viewerId: number;
  readonly filter: DiscoverFilter;
  /** Selected with their marks, in the list's order. */
  readonly rows: readonly Grounded[];
  readonly counted: Counted;
}

/**
 * What a page of Discover rests on: the list, by what is noted of its changes and by the ends and boosts that pass, and its events as
 * this viewer sees them, by their marks.
 */
export class PageGrounds implements Grounds {
  private server: string;
  private readonly viewerId: number;
  private readonly filter: DiscoverFilter;
  private readonly ids: readonly string[];
  private readonly marks: readonly (string | undefined)[];
  private readonly until: Date | null;
  private counted: Counted;

  constructor(
    private readonly database: Database,
    private readonly reading: ReadingDatabase,
    private readonly totals: DiscoverTotals,
    { server, viewerId, filter, rows, counted }: FoundPage,
  ) {
    [this.server, this.viewerId, this.filter, this.counted] = [server, viewerId, filter, counted];
    [this.ids, this.marks] = [rows.map(({ id }) => id), rows.map(({ mark }) => mark)];
    this.until = spanOf(rows, counted.at).until;
  }

  stand(now: Date): Promise<boolean> {
    return this.reading.again(this.server, (server) => this.standsAt(server, now));
  }

  private async standsAt(server: string, now: Date): Promise<boolean> {
    const { snapshot, at } = this.counted;
    if (!isWithin({ since: at, until: this.until }, now)) return false;
    const [row] = await this.database.rows<{ snapshot: string }>(PAGE_STANDS, [this.viewerId, now, snapshot, at, this.ids, this.marks]);
    if (!row) return false;
    // From here on what comes after this snapshot is news; totals are carried on with it, or they would have to be counted anew.
    this.counted = { ...this.counted, snapshot: row.snapshot, at: now };
    this.server = server;
    this.totals.carryOn(server, this.filter, this.viewerId, this.counted);
    return true;
  }
}
