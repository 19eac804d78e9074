import { LIMITS } from '#contract/limits';
import { statement, type Statement } from '#platform/database/database';
import { viewerColumns, viewerJoins, type ViewerEventRow } from '../participation/event-for-viewer.resource';
import { beside, conditionsOf, type Conditions } from './discover.clauses';
import type { DiscoverFilter } from './discover.filter';

/**
 * How a page is made. `walk`: along the list in its order until the page is full; costs little when a good part of the events
 * matches. `gather`: everything that matches first, then in order; costs little when little matches. `weigh`:
 * whichever is better, for a text alone of which it may be known how many events have it (`f_gram_total`).
 */
export type Way = 'walk' | 'gather' | 'weigh';

/** A text that so many events match is found fast enough by walking along the list. */
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
}

/** Beside the event every row has the totals, and a page without events has one row of them alone. */
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

/** What the statement of one form takes first: viewer, now, limit, offset, whose events are left out; a walk then what is known: listed, hidden, snapshot, at. */
const COMMON = 5;
const KNOWN = 4;

/** The id of no account. */
const NOBODY = 0;

const statements = new Map<string, Statement>();

/** The one statement that answers a page of Discover with its total, and its values. */
export function discoverPage({ viewerId, now, limit, offset, filter, way, known }: DiscoverRequest): { sql: Statement; values: unknown[] } {
  const walks = way === 'walk';
  const conditions = conditionsOf(filter, COMMON + (walks ? KNOWN : 0) + 1);
  const form = walks ? walkFrom(known) : way;
  const name = `discover_${form}_${conditions.form}`;
  let sql = statements.get(name);
  if (!sql) statements.set(name, (sql = statement(name, FORMS[form](conditions, filter))));
  const common = [viewerId, now, limit, offset, filter.ownToo ? NOBODY : viewerId];
  const carried = walks ? [known?.listed ?? null, known?.hidden ?? null, known?.snapshot ?? null, known?.at ?? null] : [];
  return { sql, values: [...common, ...carried, ...conditions.values] };
}

/**
 * A walk that counts anew, for the viewer at least; one that carries `on` what is known; and the same for those from whom nothing but
 * their own is hidden, nearly everybody: what is not asked costs nothing, and the question itself was a fifth of the page.
 */
type Form = 'walk' | 'on' | 'plain' | 'gather' | 'weigh';

const FORMS: Readonly<Record<Form, (conditions: Conditions, filter: DiscoverFilter) => string>> = {
  walk: (conditions, filter) => walk(conditions, filter, FOR_VIEWER, countedAnew(conditions)),
  on: (conditions, filter) => walk(conditions, filter, FOR_VIEWER, carried(true)),
  plain: (conditions, filter) => walk(conditions, filter, NOT_OWN, carried(false)),
  gather,
  weigh,
};

function walkFrom(known: Counted | null): Form {
  if (known === null || known.hidden === null) return 'walk';
  return known.hides ? 'on' : 'plain';
}

/**
 * Whose events and which the viewer is not shown: their own (where they are left out), those of who blocks them, those they are banned from. Asked so that
 * PostgreSQL reads each list once, when the first event is held against it.
 */
const BLOCKERS = 'SELECT blocker_id FROM user_blocks WHERE blocked_id = $1';
const BANNED = "SELECT event_id FROM participations WHERE user_id = $1 AND status = 'banned'";
const NOT_OWN = 'l.organizer_id <> $5';
const FOR_VIEWER = `(${NOT_OWN} AND l.organizer_id NOT IN (${BLOCKERS}) AND l.id NOT IN (${BANNED}))`;
const HIDES = `(EXISTS (${BLOCKERS}) OR EXISTS (${BANNED})) AS hides`;
/** Not over: so far from rare that its index is never worth a look here. */
const ON = beside('l.over_at > $2');
const PAGE_ORDER = 'ORDER BY boosted DESC, starts_at, id LIMIT $3 OFFSET $4';
/** Says the planner what it cannot know of a limit that is a value: for a page it fetches rows by their keys, not tables. */
const AT_MOST = `LIMIT ${LIMITS.pagination.per_page.max}`;

/** Said once a page: making it costs more than a row does. */
const SNAPSHOT = 'pg_current_snapshot()::text AS snapshot';

/**
 * Rows in no order: to sort twenty wide rows costs PostgreSQL more than whoever gets them (`byPlace`). What is listed is in sight
 * (docs/adr/0021-out-of-sight.md), so the table is read, and not of anybody who blocks the viewer.
 */
const ANSWER = `
SELECT counted.*, page.boosted, ${viewerColumns('false')}
  FROM counted LEFT JOIN (SELECT * FROM page ${AT_MOST}) page ON true LEFT JOIN all_events e ON e.id = page.id ${viewerJoins('LEFT JOIN')}`;

/** The order of the list, of rows with an event. */
export function byPlace(a: DiscoverEventRow, b: DiscoverEventRow): number {
  return Number(b.boosted) - Number(a.boosted) || a.starts_at.getTime() - b.starts_at.getTime() || Number(a.id) - Number(b.id);
}

/**
 * Boosted events first, then the others, each in the order of an index, until the page is full: PostgreSQL asks the parts of a
 * UNION ALL one after the other. A page that begins behind the end asks for none.
 */
function walk(conditions: Conditions, filter: DiscoverFilter, forViewer: string, counted: string): string {
  const shown = shownTo(forViewer);
  return `WITH ${since(conditions, forViewer)},
counted AS MATERIALIZED (${counted}),
page AS MATERIALIZED (${boostedFirst(conditions, shown, filter.near?.cells ? byCells(conditions, shown) : inOrder(conditions, shown))})${ANSWER}`;
}

function shownTo(forViewer: string): string {
  return `${ON} AND ${beside(forViewer)}`;
}

function boostedFirst({ besidePlace }: Conditions, shown: string, others: string): string {
  return `SELECT boosted, id FROM (
  (SELECT true AS boosted, l.id FROM live_events l WHERE l.boosted_until > $2 AND ${shown}${besidePlace}
    ORDER BY l.starts_at, l.id LIMIT ${REACH})
  UNION ALL
  (${others})) listed LIMIT $3 OFFSET $4`;
}

const NOT_BOOSTED = '(l.boosted_until IS NULL OR l.boosted_until <= $2)';
/** How far the list is gone through. */
const REACH = '(SELECT CASE WHEN $4::bigint >= listed THEN 0 ELSE $3::bigint + $4::bigint END FROM counted)';

function inOrder({ beside: quiet }: Conditions, shown: string): string {
  return `SELECT false, l.id FROM live_events l WHERE ${NOT_BOOSTED} AND ${shown}${quiet} ORDER BY l.starts_at, l.id LIMIT ${REACH}`;
}

/** The first events of every cell that the circle touches; the cells are the first of the conditions' values. */
function byCells({ besidePlace }: Conditions, shown: string): string {
  return `SELECT false, near.id FROM unnest($${COMMON + KNOWN + 1}::integer[]) AS around (cell), LATERAL (
      SELECT l.starts_at, l.id FROM live_events l WHERE l.cell = around.cell AND ${NOT_BOOSTED} AND ${shown}${besidePlace}
       ORDER BY l.starts_at, l.id LIMIT ${REACH}) near
    ORDER BY near.starts_at, near.id LIMIT ${REACH}`;
}

const UNSEEN = (row: string): string => `${row}.xid >= pg_snapshot_xmin($8::pg_snapshot) AND NOT pg_visible_in_snapshot(${row}.xid, $8::pg_snapshot)`;

/** What has ended since the known totals were counted, what has come and what has left: by how much they have changed. */
function since({ beside: quiet }: Conditions, forViewer: string): string {
  return `since AS MATERIALIZED (
  SELECT coalesce(sum(l.sign), 0) AS listed, coalesce(sum(l.sign) FILTER (WHERE NOT (${forViewer})), 0) AS hidden FROM (
    SELECT -1 AS sign, l.id, l.organizer_id
      FROM (SELECT * FROM live_events WHERE over_at > $9::timestamptz AND over_at <= $2 OFFSET 0) l WHERE true${quiet}
    UNION ALL
    SELECT l.sign, l.id, l.organizer_id
      FROM (SELECT * FROM live_event_changes c WHERE ${UNSEEN('c')} OFFSET 0) l
     WHERE l.over_at > $9::timestamptz${quiet}) l)`;
}

/**
 * What was known, and what has changed since: exact, for the price of what has happened in between (docs/adr/0007-totals.md).
 * Not when who hides events from the viewer has changed.
 */
const HIDDEN_OTHERWISE = `EXISTS (SELECT 1 FROM hidden_from_changes h WHERE h.user_id = $1 AND ${UNSEEN('h')})`;
function carried(hides: boolean): string {
  return `
  SELECT $6::bigint + since.listed AS listed, CASE WHEN ${HIDDEN_OTHERWISE} THEN NULL ELSE $7::bigint + since.hidden END AS hidden, ${hides} AS hides, ${SNAPSHOT} FROM since`;
}

function countedAnew({ sql, beside: quiet }: Conditions): string {
  return `
  SELECT CASE WHEN $6::bigint IS NULL THEN (SELECT count(*) FROM live_events l WHERE ${ON}${sql}) ELSE $6::bigint + since.listed END AS listed,
         ${hidden(`${quiet} AND $7::bigint IS NULL`)} AS hidden, ${HIDES}, ${SNAPSHOT}
    FROM since`;
}

/** How many that meet conditions are not for the viewer: those of some people, and what the viewer is banned from. */
function hidden(conditions: string): string {
  return `(SELECT count(*) FROM (
            SELECT * FROM live_events WHERE organizer_id = ANY (ARRAY(${BLOCKERS} UNION ALL SELECT $5::bigint))
            UNION ALL
            SELECT * FROM live_events WHERE id = ANY (ARRAY(${BANNED})) AND organizer_id <> $5 AND organizer_id NOT IN (${BLOCKERS}) OFFSET 0) l
           WHERE ${ON}${conditions})`;
}

/** Everything that matches is at hand, so it is counted on the way. */
function gather({ sql }: Conditions): string {
  return `WITH found AS MATERIALIZED (${found(sql)}),
counted AS MATERIALIZED (SELECT count(*) AS listed, ${NOT_SHOWN} AS hidden, ${HIDES}, ${SNAPSHOT} FROM found),
page AS MATERIALIZED (SELECT boosted, id FROM found WHERE shown ${PAGE_ORDER})${ANSWER}`;
}

function found(sql: string): string {
  return `
  SELECT l.id, l.starts_at, coalesce(l.boosted_until > $2, false) AS boosted, ${FOR_VIEWER} AS shown
    FROM live_events l WHERE ${ON}${sql}`;
}

const NOT_SHOWN = 'count(*) FILTER (WHERE NOT shown)';

/** Both ways in one statement, of which one is gone: PostgreSQL asks what is known of the text first, and skips the other. */
function weigh(conditions: Conditions): string {
  const [gathers, walks] = [' AND (SELECT rare FROM known)', ' AND (SELECT NOT rare FROM known)'];
  const shown = shownTo(FOR_VIEWER);
  const quiet = { ...conditions, beside: `${conditions.beside}${walks}`, besidePlace: `${conditions.besidePlace}${walks}` };
  return `WITH total AS MATERIALIZED (SELECT f_gram_total($${COMMON + 1}, $2) AS listed),
known AS MATERIALIZED (SELECT listed, listed IS NULL OR listed < ${COMMON_FROM} AS rare FROM total),
found AS MATERIALIZED (${found(`${conditions.sql}${gathers}`)}),
counted AS MATERIALIZED (
  SELECT CASE WHEN rare THEN (SELECT count(*) FROM found) ELSE listed END AS listed,
         CASE WHEN rare THEN (SELECT ${NOT_SHOWN} FROM found) ELSE ${hidden(quiet.beside)} END AS hidden, ${HIDES}, ${SNAPSHOT}
    FROM known),
page AS MATERIALIZED (SELECT boosted, id FROM (
  (SELECT boosted, id FROM found WHERE shown ${PAGE_ORDER})
  UNION ALL
  (${boostedFirst(quiet, shown, inOrder(quiet, shown))})) either)${ANSWER}`;
}

/** What is listed for everybody at $1, the next $2 by start. */
export const LISTED_IDS = statement('discover_listed_ids', 'SELECT id FROM live_events WHERE over_at > $1 ORDER BY starts_at, id LIMIT $2');
