import { LIMITS } from '#contract/limits';
import { statement, type Statement } from '#platform/database/database';
import { VIEWER_COLUMNS, VIEWER_JOINS } from '../participation/event-for-viewer.resource';
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
  snapshot: string;
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
  const carries = known !== null && known.hidden !== null;
  const name = `discover_${walks && carries ? 'on' : way}_${conditions.form}`;
  let sql = statements.get(name);
  if (!sql) statements.set(name, (sql = statement(name, walks ? walk(conditions, filter, carries) : way === 'weigh' ? weigh(conditions) : gather(conditions))));
  const common = [viewerId, now, limit, offset, filter.ownToo ? NOBODY : viewerId];
  const carried = walks ? [known?.listed ?? null, known?.hidden ?? null, known?.snapshot ?? null, known?.at ?? null] : [];
  return { sql, values: [...common, ...carried, ...conditions.values] };
}

/**
 * Whose events and which the viewer is not shown: their own (where they are left out), those of who blocks them, those they are banned from. Asked so that
 * PostgreSQL reads each list once, when the first event is held against it.
 */
const BLOCKERS = 'SELECT blocker_id FROM user_blocks WHERE blocked_id = $1';
const BANNED = "SELECT event_id FROM participations WHERE user_id = $1 AND status = 'banned'";
const FOR_VIEWER = `(l.organizer_id <> $5 AND l.organizer_id NOT IN (${BLOCKERS}) AND l.id NOT IN (${BANNED}))`;
/** Not over: so far from rare that its index is never worth a look here. */
const ON = beside('l.over_at > $2');
const SHOWN = `${ON} AND ${beside(FOR_VIEWER)}`;
const PAGE_ORDER = 'ORDER BY boosted DESC, starts_at, id LIMIT $3 OFFSET $4';
/** Says the planner what it cannot know of a limit that is a value: for a page it fetches rows by their keys, not tables. */
const AT_MOST = `LIMIT ${LIMITS.pagination.per_page.max}`;

/** Said once a page: making it costs more than a row does. */
const SNAPSHOT = 'pg_current_snapshot()::text AS snapshot';

const ANSWER = `
SELECT counted.*, event.*
  FROM counted LEFT JOIN (
    SELECT page.boosted, ${VIEWER_COLUMNS} FROM (SELECT * FROM page ${AT_MOST}) page JOIN events e ON e.id = page.id ${VIEWER_JOINS}
  ) event ON true
 ORDER BY event.boosted DESC, event.starts_at, event.id`;

/**
 * Boosted events first, then the others, each in the order of an index, until the page is full: PostgreSQL asks the parts of a
 * UNION ALL one after the other. A page that begins behind the end asks for none.
 */
function walk(conditions: Conditions, filter: DiscoverFilter, carries: boolean): string {
  return `WITH ${since(conditions)},
counted AS MATERIALIZED (${carries ? CARRIED : countedAnew(conditions)}),
page AS MATERIALIZED (${boostedFirst(conditions, filter.near?.cells ? byCells(conditions) : inOrder(conditions))})${ANSWER}`;
}

function boostedFirst({ besidePlace }: Conditions, others: string): string {
  return `SELECT boosted, id FROM (
  (SELECT true AS boosted, l.id FROM live_events l WHERE l.boosted_until > $2 AND ${SHOWN}${besidePlace}
    ORDER BY l.starts_at, l.id LIMIT ${REACH})
  UNION ALL
  (${others})) listed LIMIT $3 OFFSET $4`;
}

const OTHERS = `(l.boosted_until IS NULL OR l.boosted_until <= $2) AND ${SHOWN}`;
/** How far the list is gone through. */
const REACH = '(SELECT CASE WHEN $4::bigint >= listed THEN 0 ELSE $3::bigint + $4::bigint END FROM counted)';

function inOrder({ beside: quiet }: Conditions): string {
  return `SELECT false, l.id FROM live_events l WHERE ${OTHERS}${quiet} ORDER BY l.starts_at, l.id LIMIT ${REACH}`;
}

/** The first events of every cell that the circle touches; the cells are the first of the conditions' values. */
function byCells({ besidePlace }: Conditions): string {
  return `SELECT false, near.id FROM unnest($${COMMON + KNOWN + 1}::integer[]) AS around (cell), LATERAL (
      SELECT l.starts_at, l.id FROM live_events l WHERE l.cell = around.cell AND ${OTHERS}${besidePlace}
       ORDER BY l.starts_at, l.id LIMIT ${REACH}) near
    ORDER BY near.starts_at, near.id LIMIT ${REACH}`;
}

const UNSEEN = (row: string): string => `${row}.xid >= pg_snapshot_xmin($8::pg_snapshot) AND NOT pg_visible_in_snapshot(${row}.xid, $8::pg_snapshot)`;

/** What has ended since the known totals were counted, what has come and what has left: by how much they have changed. */
function since({ beside: quiet }: Conditions): string {
  return `since AS MATERIALIZED (
  SELECT coalesce(sum(l.sign), 0) AS listed, coalesce(sum(l.sign) FILTER (WHERE NOT ${FOR_VIEWER}), 0) AS hidden FROM (
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
const CARRIED = `
  SELECT $6::bigint + since.listed AS listed, CASE WHEN ${HIDDEN_OTHERWISE} THEN NULL ELSE $7::bigint + since.hidden END AS hidden, ${SNAPSHOT} FROM since`;

function countedAnew({ sql, beside: quiet }: Conditions): string {
  return `
  SELECT CASE WHEN $6::bigint IS NULL THEN (SELECT count(*) FROM live_events l WHERE ${ON}${sql}) ELSE $6::bigint + since.listed END AS listed,
         ${hidden(`${quiet} AND $7::bigint IS NULL`)} AS hidden, ${SNAPSHOT}
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
counted AS MATERIALIZED (SELECT count(*) AS listed, ${NOT_SHOWN} AS hidden, ${SNAPSHOT} FROM found),
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
  const quiet = { ...conditions, beside: `${conditions.beside}${walks}`, besidePlace: `${conditions.besidePlace}${walks}` };
  return `WITH total AS MATERIALIZED (SELECT f_gram_total($${COMMON + 1}, $2) AS listed),
known AS MATERIALIZED (SELECT listed, listed IS NULL OR listed < ${COMMON_FROM} AS rare FROM total),
found AS MATERIALIZED (${found(`${conditions.sql}${gathers}`)}),
counted AS MATERIALIZED (
  SELECT CASE WHEN rare THEN (SELECT count(*) FROM found) ELSE listed END AS listed,
         CASE WHEN rare THEN (SELECT ${NOT_SHOWN} FROM found) ELSE ${hidden(quiet.beside)} END AS hidden, ${SNAPSHOT}
    FROM known),
page AS MATERIALIZED (SELECT boosted, id FROM (
  (SELECT boosted, id FROM found WHERE shown ${PAGE_ORDER})
  UNION ALL
  (${boostedFirst(quiet, inOrder(quiet))})) either)${ANSWER}`;
}

/** What is listed for everybody at $1, the next $2 by start. */
export const LISTED_IDS = statement('discover_listed_ids', 'SELECT id FROM live_events WHERE over_at > $1 ORDER BY starts_at, id LIMIT $2');
