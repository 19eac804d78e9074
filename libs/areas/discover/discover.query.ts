import { LIMITS } from '#contract/limits';
import { shortRead, statement, type Statement } from '#platform/database/database';
import {
  OWN_COLUMNS,
  SHARED_COLUMNS,
  SHARED_FINGERPRINT,
  sharedJoins,
  viewerColumns,
  viewerJoins,
  type ViewerEventRow,
} from '../participation/event-for-viewer.resource';
import { conditionsOf, unindexed, type Conditions } from './discover.clauses';
import {
  carried,
  exactCount,
  FOR_VIEWER,
  hidden,
  HIDES,
  NOT_OWN,
  ON,
  since,
  SNAPSHOT,
  STANDBY_SNAPSHOT,
} from './discover.counting';
import { isScrapAlone, type DiscoverFilter } from './discover.filter';

/**
 * How a page is made. `scan`: the index in the list's order is read until the page is full; costs little when a good part of the events
 * matches. `sort`: everything that matches is read, then sorted; costs little when little matches. `count`: for a text that nobody has
 * asked for lately: how many events have it is counted first, or known (`f_gram_total`), and one of the two follows.
 */
export type Way = 'scan' | 'sort' | 'count';

/** A text that so many events match fills a page soon enough by a scan. */
export const COMMON_FROM = 2_000;

/** Totals as they were counted at a moment, to be carried on from. */
export interface Counted {
  /** For everybody. */
  readonly listed: number;
  /** Of these, what is not for the one who asks; null: nobody has counted that. */
  readonly hidden: number | null;
  /** Whether anybody blocks the one who asks, or they are banned from anything. */
  readonly hides: boolean;
  /** PostgreSQL's snapshot that saw it: what is not visible in it has changed since. */
  readonly snapshot: string;
  /** What had not ended then was counted. */
  readonly at: Date;
}

export interface DiscoverRequest {
  readonly viewerId: number;
  readonly now: Date;
  readonly limit: number;
  readonly offset: number;
  readonly filter: DiscoverFilter;
  readonly way: Way;
  /** Null: count anew. */
  readonly known: Counted | null;
  /** Of its events only what is not the same for everybody, and by what mark that is known. */
  readonly brief: boolean;
}

/** Each row repeats the totals; an empty page is one row with totals only. */
export interface DiscoverTotalsRow {
  /** For everybody. */
  listed: string;
  /** Of these, what is not for this viewer. Null: no longer what was known, and to be counted by asking again. */
  hidden: string | null;
  hides: boolean;
  snapshot: string;
}

export interface DiscoverEventRow extends ViewerEventRow {
  boosted: boolean;
}

/** Instead, of a brief page. */
export interface BriefRow extends Pick<
  DiscoverEventRow,
  'id' | 'boosted' | 'confirmed_count' | 'participation' | 'check_in_code' | 'requests_full' | 'group_id'
> {
  /** SHARED_FINGERPRINT. */
  shared_fingerprint: string;
}

/**
 * The first parameters of each statement: viewer, now, limit, offset, the organizer whose events are left out; a scan then takes the known
 * totals: listed, hidden, snapshot, at.
 */
const COMMON = 5;
const KNOWN = 4;

/** A page that ends within so many events of a list with known totals is read within a millisecond. */
const SHORT_REACH = 40;

/** The id of no account. */
const NOBODY = 0;

const statements = new Map<string, Statement>();

/** A statement that says its snapshot. */
function snapped(sql: Statement): Statement {
  return { ...sql, onStandby: sql.text.replaceAll(SNAPSHOT, STANDBY_SNAPSHOT) };
}

/** The one statement that answers a page of Discover with its total, and its values. */
export function discoverPage({ viewerId, now, limit, offset, filter, way, known, brief }: DiscoverRequest): {
  sql: Statement;
  values: unknown[];
} {
  const scans = way === 'scan';
  const conditions = conditionsOf(filter, COMMON + (scans ? KNOWN : 0) + 1);
  const form = scans ? scanFrom(known) : way;
  const name = `discover_${brief ? 'b_' : ''}${form}_${conditions.form}`;
  let sql = statements.get(name);
  if (!sql)
    statements.set(name, (sql = snapped(statement(name, `${FORMS[form](conditions, filter)}${answer(brief)}`))));
  const common = [viewerId, now, limit, offset, filter.ownToo ? NOBODY : viewerId];
  const carried = scans
    ? [known?.listed ?? null, known?.hidden ?? null, known?.snapshot ?? null, known?.at ?? null]
    : [];
  // Nothing is counted, and only the beginning of the list is read.
  const isShort = scans && typeof known?.hidden === 'number' && limit + offset <= SHORT_REACH && conditions.form === '';
  return { sql: isShort ? { ...sql, isShort } : sql, values: [...common, ...carried, ...conditions.values] };
}

/**
 * `scan` counts totals anew, at least for the viewer; `on` carries known totals on; `plain` does the same for viewers from whom only their
 * own events are hidden (nearly everybody), which saves a fifth of the page.
 */
type Scan = 'scan' | 'on' | 'plain';

const FORMS: Readonly<Record<Scan | 'sort' | 'count', (conditions: Conditions, filter: DiscoverFilter) => string>> = {
  scan: (conditions, filter) => scan(conditions, filter, FOR_VIEWER, exactCount(conditions)),
  on: (conditions, filter) => scan(conditions, filter, FOR_VIEWER, carried('true')),
  plain: (conditions, filter) => scan(conditions, filter, NOT_OWN, carried('false')),
  sort,
  count,
};

function scanFrom(known: Counted | null): Scan {
  if (known === null || known.hidden === null) return 'scan';
  return known.hides ? 'on' : 'plain';
}

const PAGE_ORDER = 'ORDER BY boosted DESC, starts_at, id LIMIT $3 OFFSET $4';
/** Says the planner what it cannot know of a limit that is a value: for a page it fetches rows by their keys, not tables. */
const AT_MOST = `LIMIT ${LIMITS.pagination.per_page.max}`;

/**
 * Of `counted` and `page`: rows in no order, since to sort twenty wide rows costs PostgreSQL more than whoever gets them (`byPlace`). What is
 * listed is in sight (docs/adr/0021-out-of-sight.md), so the table is read, and not of anybody who blocks the viewer.
 */
function answer(brief: boolean): string {
  const columns = brief
    ? `e.id, e.confirmed_count, ${OWN_COLUMNS}, ${SHARED_FINGERPRINT} AS shared_fingerprint`
    : viewerColumns('false');
  return `
SELECT counted.*, page.boosted, ${columns}
  FROM counted LEFT JOIN (SELECT * FROM page ${AT_MOST}) page ON true LEFT JOIN all_events e ON e.id = page.id ${viewerJoins('LEFT JOIN')}`;
}

/** What of events is the same for everybody, of ids $1. */
export const EVENTS_TO_RENDER = shortRead(
  'discover_events_to_render',
  `SELECT ${SHARED_COLUMNS}, ${SHARED_FINGERPRINT} AS shared_fingerprint FROM all_events e ${sharedJoins('JOIN')} WHERE e.id = ANY ($1::bigint[])`,
);

/** The order of the list. */
export function byPlace(a: Placed, b: Placed): number {
  return (
    Number(b.boosted) - Number(a.boosted) ||
    a.starts_at.getTime() - b.starts_at.getTime() ||
    Number(a.id) - Number(b.id)
  );
}

/** What decides on an event's place in the list. */
export type Placed = Pick<DiscoverEventRow, 'id' | 'boosted' | 'starts_at'>;

/**
 * Boosted events first, then the others, each in the order of an index, until the page is full: PostgreSQL asks the parts of a
 * UNION ALL one after the other. A page that begins behind the end asks for none.
 */
function scan(conditions: Conditions, filter: DiscoverFilter, forViewer: string, counted: string): string {
  const shown = shownTo(forViewer);
  return `WITH ${since(conditions, forViewer)},
counted AS MATERIALIZED (${counted}),
page AS MATERIALIZED (${boostedFirst(conditions, shown, filter.near?.cells ? byCells(conditions, shown) : inOrder(conditions, shown))})`;
}

function shownTo(forViewer: string): string {
  return `${ON} AND ${unindexed(forViewer)}`;
}

function boostedFirst({ unindexedButPlace }: Conditions, shown: string, others: string): string {
  return `SELECT boosted, id FROM (
  (SELECT true AS boosted, l.id FROM live_events l WHERE l.boosted_until > $2 AND ${shown}${unindexedButPlace}
    ORDER BY l.starts_at, l.id LIMIT ${REACH})
  UNION ALL
  (${others})) listed LIMIT $3 OFFSET $4`;
}

const NOT_BOOSTED = '(l.boosted_until IS NULL OR l.boosted_until <= $2)';
/** How many events of the list are read. */
const REACH = '(SELECT CASE WHEN $4::bigint >= listed THEN 0 ELSE $3::bigint + $4::bigint END FROM counted)';

function inOrder({ unindexed: filtering }: Conditions, shown: string): string {
  return `SELECT false, l.id FROM live_events l WHERE ${NOT_BOOSTED} AND ${shown}${filtering} ORDER BY l.starts_at, l.id LIMIT ${REACH}`;
}

/** The first events of every cell that the circle touches; the cells are the first of the conditions' values. */
function byCells({ unindexedButPlace }: Conditions, shown: string): string {
  return `SELECT false, near.id FROM unnest($${COMMON + KNOWN + 1}::integer[]) AS around (cell), LATERAL (
      SELECT l.starts_at, l.id FROM live_events l WHERE l.cell = around.cell AND ${NOT_BOOSTED} AND ${shown}${unindexedButPlace}
       ORDER BY l.starts_at, l.id LIMIT ${REACH}) near
    ORDER BY near.starts_at, near.id LIMIT ${REACH}`;
}

/** Everything that matches is read, so it is counted by the same statement. */
function sort({ sql }: Conditions): string {
  return `WITH found AS MATERIALIZED (${found(sql)}),
counted AS MATERIALIZED (SELECT count(*) AS listed, ${NOT_SHOWN} AS hidden, ${HIDES} AS hides, ${SNAPSHOT} FROM found),
page AS MATERIALIZED (SELECT boosted, id FROM found WHERE shown ${PAGE_ORDER})`;
}

function found(sql: string): string {
  return `
  SELECT l.id, l.starts_at, l.boosted_until, coalesce(l.boosted_until > $2, false) AS boosted, ${FOR_VIEWER} AS shown
    FROM live_events l WHERE ${ON}${sql}`;
}

const NOT_SHOWN = 'count(*) FILTER (WHERE NOT shown)';

/**
 * Both ways in one statement: PostgreSQL counts what has the text first, and executes only one of them. What it counts it does not keep:
 * to read and sort 300,000 events for the first twenty costs six times as much as to count them.
 */
function count(conditions: Conditions, filter: DiscoverFilter): string {
  const [ifRare, ifCommon] = [' AND (SELECT rare FROM known)', ' AND (SELECT NOT rare FROM known)'];
  const shown = shownTo(FOR_VIEWER);
  const common = {
    ...conditions,
    unindexed: `${conditions.unindexed}${ifCommon}`,
    unindexedButPlace: `${conditions.unindexedButPlace}${ifCommon}`,
  };
  const total = isScrapAlone(filter)
    ? `SELECT f_gram_total($${COMMON + 1}, $2) AS listed`
    : `SELECT count(*) AS listed FROM live_events l WHERE ${ON}${conditions.sql}`;
  return `WITH total AS MATERIALIZED (${total}),
known AS MATERIALIZED (SELECT listed, listed IS NULL OR listed < ${COMMON_FROM} AS rare FROM total),
found AS MATERIALIZED (${found(`${conditions.sql}${ifRare}`)}),
counted AS MATERIALIZED (
  SELECT CASE WHEN rare THEN (SELECT count(*) FROM found) ELSE listed END AS listed,
         CASE WHEN rare THEN (SELECT ${NOT_SHOWN} FROM found) ELSE ${hidden(common.unindexed)} END AS hidden, ${HIDES} AS hides, ${SNAPSHOT}
    FROM known),
page AS MATERIALIZED (SELECT boosted, id FROM (
  (SELECT boosted, id FROM found WHERE shown ${PAGE_ORDER})
  UNION ALL
  (${boostedFirst(common, shown, inOrder(common, shown))})) either)`;
}

/** What is listed for everybody at $1, the next $2 by start. */
export const LISTED_IDS = statement(
  'discover_listed_ids',
  'SELECT id FROM live_events WHERE over_at > $1 ORDER BY starts_at, id LIMIT $2',
);
