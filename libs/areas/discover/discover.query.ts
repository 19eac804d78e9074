import { statement, type Statement } from '#platform/database/database';
import { VIEWER_COLUMNS, VIEWER_JOINS } from '../participation/event-for-viewer.resource';
import { beside, conditionsOf, type Conditions } from './discover.clauses';
import type { DiscoverFilter } from './discover.filter';

/**
 * How a page is made. `walk`: along the list in its order until the page is full; costs little when a good part of the events
 * matches. `gather`: everything that matches first, then in order; costs little when little matches.
 */
export type Way = 'walk' | 'gather';

/** A total as it was counted at a moment, to be carried on from. */
export interface Counted {
  readonly listed: number;
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
  /** Of these, what is not for this viewer. */
  hidden: string;
  snapshot: string;
}

/** What the statement of one form takes first: viewer, now, limit, offset; a walk then what is known: listed, snapshot, at. */
const COMMON = 4;
const KNOWN = 3;

const statements = new Map<string, Statement>();

/** The one statement that answers a page of Discover with its total, and its values. */
export function discoverPage({ viewerId, now, limit, offset, filter, way, known }: DiscoverRequest): { sql: Statement; values: unknown[] } {
  const walks = way === 'walk';
  const conditions = conditionsOf(filter, COMMON + (walks ? KNOWN : 0) + 1);
  const name = `discover_${way}_${conditions.form}`;
  let sql = statements.get(name);
  if (!sql) statements.set(name, (sql = statement(name, walks ? walk(conditions, filter) : gather(conditions))));
  const common = [viewerId, now, limit, offset];
  const carried = walks ? [known?.listed ?? null, known?.snapshot ?? null, known?.at ?? null] : [];
  return { sql, values: [...common, ...carried, ...conditions.values] };
}

/** Whose events and which the viewer is not shown: their own, those of who blocks them, those they are banned from. */
const VIEWER = `viewer AS MATERIALIZED (
  SELECT ARRAY(SELECT blocker_id FROM user_blocks WHERE blocked_id = $1 UNION ALL SELECT $1::bigint) AS organizers,
         ARRAY(SELECT event_id FROM participations WHERE user_id = $1 AND status = 'banned') AS events)`;
const ORGANIZERS = '((SELECT organizers FROM viewer)::bigint[])';
const EVENTS = '((SELECT events FROM viewer)::bigint[])';
/** Not over: so far from rare that its index is never worth a look here. */
const ON = beside('l.over_at > $2');
const SHOWN = [ON, beside(`l.organizer_id <> ALL ${ORGANIZERS}`), beside(`l.id <> ALL ${EVENTS}`)].join(' AND ');
const PAGE_ORDER = 'ORDER BY boosted DESC, starts_at, id LIMIT $3 OFFSET $4';

const ANSWER = `
SELECT counted.listed, counted.hidden, pg_current_snapshot()::text AS snapshot, event.*
  FROM counted LEFT JOIN (
    SELECT page.boosted, ${VIEWER_COLUMNS} FROM page JOIN events e ON e.id = page.id ${VIEWER_JOINS}
  ) event ON true
 ORDER BY event.boosted DESC, event.starts_at, event.id`;

/**
 * Boosted events first, no more than reach to the end of the page. Then the others in the order of an index, from where the
 * boosted ones end, and none for a page that begins behind the end.
 */
function walk(conditions: Conditions, filter: DiscoverFilter): string {
  const cells = filter.near?.cells;
  return `WITH ${VIEWER}, counted AS MATERIALIZED (SELECT ${carriedOn(conditions)} AS listed, ${hidden(conditions)} AS hidden),
boosted AS MATERIALIZED (
  SELECT l.starts_at, l.id FROM live_events l WHERE l.boosted_until > $2 AND ${SHOWN}${conditions.besidePlace}
   ORDER BY l.starts_at, l.id LIMIT $3::bigint + $4::bigint),
rest AS MATERIALIZED (
  SELECT CASE WHEN $4::bigint >= listed THEN 0 ELSE $3::bigint - least($3::bigint, greatest(boosts - $4::bigint, 0)) END AS room,
         greatest($4::bigint - boosts, 0) AS skipped
    FROM counted, (SELECT count(*) AS boosts FROM boosted) b),
page AS MATERIALIZED (
  (SELECT true AS boosted, id FROM boosted ORDER BY starts_at, id OFFSET $4)
  UNION ALL
  (${cells ? byCells(conditions) : inOrder(conditions)}))${ANSWER}`;
}

const OTHERS = `(l.boosted_until IS NULL OR l.boosted_until <= $2) AND ${SHOWN}`;
const ROOM = '(SELECT room FROM rest)';
const SKIPPED = '(SELECT skipped FROM rest)';

function inOrder({ beside: quiet }: Conditions): string {
  return `SELECT false AS boosted, l.id FROM live_events l WHERE ${OTHERS}${quiet} ORDER BY l.starts_at, l.id LIMIT ${ROOM} OFFSET ${SKIPPED}`;
}

/** The first events of every cell that the circle touches; the cells are the first of the conditions' values. */
function byCells({ besidePlace }: Conditions): string {
  return `SELECT false AS boosted, near.id FROM unnest($${COMMON + KNOWN + 1}::integer[]) AS around (cell), LATERAL (
      SELECT l.starts_at, l.id FROM live_events l WHERE l.cell = around.cell AND ${OTHERS}${besidePlace}
       ORDER BY l.starts_at, l.id LIMIT (SELECT room + skipped FROM rest)) near
    ORDER BY near.starts_at, near.id LIMIT ${ROOM} OFFSET ${SKIPPED}`;
}

/**
 * What was known, less what has ended since, with what came and without what left since: exact, for the price of what has
 * happened in between (docs/adr/0007-totals.md).
 */
function carriedOn({ sql, beside: quiet }: Conditions): string {
  return `CASE WHEN $5::bigint IS NULL THEN (SELECT count(*) FROM live_events l WHERE ${ON}${sql})
    ELSE $5::bigint
      - (SELECT count(*) FROM (SELECT * FROM live_events WHERE over_at > $7::timestamptz AND over_at <= $2 OFFSET 0) l WHERE true${quiet})
      + (SELECT coalesce(sum(l.sign), 0) FROM (
          SELECT * FROM live_event_changes
           WHERE xid >= pg_snapshot_xmin($6::pg_snapshot) AND NOT pg_visible_in_snapshot(xid, $6::pg_snapshot) OFFSET 0) l
         WHERE l.over_at > $7::timestamptz${quiet})
    END`;
}

function hidden({ beside: quiet }: Conditions): string {
  return `(SELECT count(*) FROM (
      SELECT * FROM live_events WHERE organizer_id = ANY ${ORGANIZERS}
      UNION ALL
      SELECT * FROM live_events WHERE id = ANY ${EVENTS} AND organizer_id <> ALL ${ORGANIZERS} OFFSET 0) l
    WHERE ${ON}${quiet})`;
}

/** Everything that matches is at hand, so it is counted on the way. */
function gather({ sql }: Conditions): string {
  return `WITH ${VIEWER}, found AS MATERIALIZED (
  SELECT l.id, l.starts_at, coalesce(l.boosted_until > $2, false) AS boosted, ${SHOWN} AS shown
    FROM live_events l WHERE ${ON}${sql}),
counted AS MATERIALIZED (SELECT count(*) AS listed, count(*) FILTER (WHERE shown IS NOT true) AS hidden FROM found),
page AS MATERIALIZED (SELECT boosted, id FROM found WHERE shown ${PAGE_ORDER})${ANSWER}`;
}
