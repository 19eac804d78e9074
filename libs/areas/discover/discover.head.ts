import type { Span } from '#platform/http/grounds';
import type { Conditions } from './discover.clauses';
import type { DiscoverFilter } from './discover.filter';

/** So many events are remembered of a list; pages of twenty begin within them, whatever of it is not for one viewer. */
const LENGTH = 60;
/** The last place a page may end at. */
const REACHES = 40;

/**
 * The first events of a list, in its order and for everybody, as they were found at a moment. They are the first for as long as nothing that meets
 * the filter has changed since, which is asked in the statement that shows them (docs/adr/0007-totals.md), and no boost among them has lapsed.
 */
export interface Head extends Span {
  /** PostgreSQL's array of ids, as it came. */
  readonly ids: string;
  /** Whether that is all there is. */
  readonly complete: boolean;
  readonly snapshot: string;
}

/** What a statement that finds a head answers beside the totals. */
export interface HeadRow {
  head: string | null;
  /** Null: none was found. */
  head_complete: boolean | null;
  head_until: Date | null;
}

/** Whether lists of the filter have heads: those of texts, which cost more to find than to show. Joins and prices are no changes that are noted. */
export function hasHead({ text, minParticipants, price }: DiscoverFilter): boolean {
  return text !== null && minParticipants === null && price === null;
}

/** Whether a page lies within. */
export function isWithinHead(limit: number, offset: number): boolean {
  return limit + offset <= REACHES;
}

/** From `rows`, SQL of at least so many in the list's order with id, boosted, boosted_until and place: what HeadRow says; `found`, SQL, says whether they are. */
export function headColumns(rows: string, found = 'true'): string {
  return `(SELECT array_agg(id ORDER BY place)::text FROM ${rows}) AS head,
    CASE WHEN ${found} THEN (SELECT count(*) < ${LENGTH} FROM ${rows}) END AS head_complete,
    (SELECT min(boosted_until) FROM ${rows} WHERE boosted) AS head_until`;
}

/** The first of `found`, SQL of everything that matches. */
export function firstOf(found: string): string {
  return `SELECT *, row_number() OVER (ORDER BY boosted DESC, starts_at, id) AS place FROM ${found} ORDER BY place LIMIT ${LENGTH}`;
}

/** The first that match, by a scan of the list in its order; `on` says that an event is not over. */
export function firstByScan({ unindexed }: Conditions, on: string): string {
  const branch = (boosted: boolean, condition: string): string => `
    (SELECT ${boosted} AS boosted, l.id, l.starts_at, l.boosted_until, l.organizer_id FROM live_events l
      WHERE ${condition} AND ${on}${unindexed} ORDER BY l.starts_at, l.id LIMIT ${LENGTH})`;
  return `SELECT l.*, row_number() OVER (ORDER BY boosted DESC, starts_at, id) AS place FROM (
    ${branch(true, 'l.boosted_until > $2')}
    UNION ALL
    ${branch(false, '(l.boosted_until IS NULL OR l.boosted_until <= $2)')} LIMIT ${LENGTH}) l`;
}

/** Whether nothing that meets the filter and is not over has changed since the head was found; `unseen` says that of a row `c`. */
export function holds({ unindexed }: Conditions, unseen: string): string {
  return `NOT EXISTS (SELECT 1 FROM (SELECT * FROM live_event_changes c WHERE ${unseen} OFFSET 0) l WHERE l.over_at > $2${unindexed})`;
}

/** The page from the head's `ids`; `shown` says that a row `l` is for the viewer. */
export function pageOf(ids: string, shown: string): string {
  return `SELECT coalesce(l.boosted_until > $2, false) AS boosted, l.id
    FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS known (id, place), LATERAL (SELECT * FROM live_events l WHERE l.id = known.id LIMIT 1) l
   WHERE ${shown} AND (SELECT holds FROM counted) ORDER BY known.place LIMIT $3 OFFSET $4`;
}
