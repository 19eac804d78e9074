import { unindexed, type Conditions } from './discover.clauses';

/*
 * The condition for listed events, for everyone and for one viewer, as SQL. $1 viewer, $2 now, $5 the organizer whose
 * events are left out; known totals, if any: $6 listed, $7 hidden, $8 the snapshot, $9 its time (discover.query.ts).
 */

/**
 * The events hidden from the viewer: the viewer's own (if left out), those of people who block the viewer, and those
 * the viewer is banned from. Written so that PostgreSQL reads each list once, at the first event.
 */
const BLOCKERS = 'SELECT blocker_id FROM user_blocks WHERE blocked_id = $1';
const BANNED = "SELECT event_id FROM participations WHERE user_id = $1 AND status = 'banned'";
export const NOT_OWN = 'l.organizer_id <> $5';
export const FOR_VIEWER = `(${NOT_OWN} AND l.organizer_id NOT IN (${BLOCKERS}) AND l.id NOT IN (${BANNED}))`;
export const HIDES = `(EXISTS (${BLOCKERS}) OR EXISTS (${BANNED}))`;
/** Not over: nearly every event meets this, so its index does not help. */
export const ON = unindexed('l.over_at > $2');
/** Once per page: computing the snapshot costs more than a row does. */
export const SNAPSHOT = 'pg_current_snapshot()::text AS snapshot';

/**
 * The equivalent of SNAPSHOT on a standby, whose own snapshot does not name the transactions in progress. The result
 * treats exactly those recorded changes as seen that the standby sees.
 */
export const STANDBY_SNAPSHOT = `(SELECT concat(oldest, ':', latest + 1, ':', (
    SELECT string_agg(under_way::text, ',' ORDER BY under_way) FROM generate_series(oldest, latest) AS under_way WHERE under_way <> ALL (seen)))
  FROM (SELECT oldest, seen, coalesce((SELECT max(xid) FROM unnest(seen) AS xid), oldest - 1) AS latest
    FROM (SELECT oldest::text::bigint AS oldest, ARRAY(
        SELECT c.xid::text::bigint FROM live_event_changes c WHERE c.xid >= oldest UNION SELECT h.xid::text::bigint FROM hidden_from_changes h WHERE h.xid >= oldest) AS seen
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS oldest OFFSET 0) begun OFFSET 0) noted OFFSET 0) known) AS snapshot`;

/** The rows of a table of changes that a snapshot, a placeholder, did not see. */
export function unseen(row: string, snapshot: string): string {
  return `${row}.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) AND NOT pg_visible_in_snapshot(${row}.xid, ${snapshot}::pg_snapshot)`;
}

/** The difference since the known totals: events that have ended, been added and been removed. */
export function since({ unindexed: conditions }: Conditions, forViewer: string): string {
  return `since AS MATERIALIZED (
  SELECT coalesce(sum(l.sign), 0) AS listed, coalesce(sum(l.sign) FILTER (WHERE NOT (${forViewer})), 0) AS hidden FROM (
    SELECT -1 AS sign, l.id, l.organizer_id
      FROM (SELECT * FROM live_events WHERE over_at > $9::timestamptz AND over_at <= $2 OFFSET 0) l WHERE true${conditions}
    UNION ALL
    SELECT l.sign, l.id, l.organizer_id
      FROM (SELECT * FROM live_event_changes c WHERE ${unseen('c', '$8')} OFFSET 0) l
     WHERE l.over_at > $9::timestamptz${conditions}) l)`;
}

/**
 * The known total plus the changes since: exact, at the cost of these changes only (docs/adr/0007-totals.md). Not used
 * if the people who hide events from the viewer have changed.
 */
const HIDDEN_OTHERWISE = `EXISTS (SELECT 1 FROM hidden_from_changes h WHERE h.user_id = $1 AND ${unseen('h', '$8')})`;

export function carried(hides: string): string {
  return `
  SELECT $6::bigint + since.listed AS listed, CASE WHEN ${HIDDEN_OTHERWISE} THEN NULL ELSE $7::bigint + since.hidden END AS hidden, ${hides} AS hides, ${SNAPSHOT} FROM since`;
}

export function exactCount({ sql, unindexed: filtering }: Conditions): string {
  return `
  SELECT CASE WHEN $6::bigint IS NULL THEN (SELECT count(*) FROM live_events l WHERE ${ON}${sql}) ELSE $6::bigint + since.listed END AS listed,
         ${hidden(`${filtering} AND $7::bigint IS NULL`)} AS hidden, ${HIDES} AS hides, ${SNAPSHOT}
    FROM since`;
}

/**
 * The number of matching events that are hidden from the viewer: those of some organizers, and those the viewer is
 * banned from.
 */
export function hidden(conditions: string): string {
  return `(SELECT count(*) FROM (
            SELECT * FROM live_events WHERE organizer_id = ANY (ARRAY(${BLOCKERS} UNION ALL SELECT $5::bigint))
            UNION ALL
            SELECT * FROM live_events WHERE id = ANY (ARRAY(${BANNED})) AND organizer_id <> $5 AND organizer_id NOT IN (${BLOCKERS}) OFFSET 0) l
           WHERE ${ON}${conditions})`;
}
