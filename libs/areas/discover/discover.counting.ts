import { unindexed, type Conditions } from './discover.clauses';

/*
 * SQL conditions and counts of listed events, for all viewers and for one viewer. The parameters (discover.query.ts)
 * are: $1 the viewer, $2 now, $5 the organizer whose events are omitted. If totals are known: $6 the number of listed
 * events, $7 the number of hidden events, $8 the snapshot, $9 the time of the snapshot.
 */

/** SQL: the people who block the viewer $1. */
export const BLOCKERS = 'SELECT blocker_id FROM user_blocks WHERE blocked_id = $1';
/** SQL: the events from which the viewer $1 is banned. */
export const BANNED = "SELECT event_id FROM participations WHERE user_id = $1 AND status = 'banned'";
const NOT_OWN = 'l.organizer_id <> $5';
/**
 * True for an event that is not hidden from the viewer. These events are hidden: the viewer's own events (unless the
 * list includes them), events of people who block the viewer, and events from which the viewer is banned. In this form,
 * PostgreSQL reads the blocks and the bans only once for the whole list, not for each event.
 */
export const FOR_VIEWER = `(${NOT_OWN} AND l.organizer_id NOT IN (${BLOCKERS}) AND l.id NOT IN (${BANNED}))`;
/** Events that have not ended. Nearly every event meets this condition, so an index would not help. */
export const NOT_OVER = unindexed('l.over_at > $2');
/**
 * The snapshot of the statement. Computing a snapshot takes longer than reading a row. Therefore a statement for a page
 * of the list computes only one snapshot, not one for each row.
 */
export const SNAPSHOT = 'pg_current_snapshot()::text AS snapshot';

/**
 * The equivalent of SNAPSHOT on a standby, whose own snapshot does not list the transactions in progress. The computed
 * snapshot contains exactly those recorded changes that the standby sees.
 */
export const STANDBY_SNAPSHOT = `(SELECT concat(oldest, ':', latest + 1, ':', (
    SELECT string_agg(under_way::text, ',' ORDER BY under_way) FROM generate_series(oldest, latest) AS under_way WHERE under_way <> ALL (seen)))
  FROM (SELECT oldest, seen, coalesce((SELECT max(xid) FROM unnest(seen) AS xid), oldest - 1) AS latest
    FROM (SELECT oldest::text::bigint AS oldest, ARRAY(
        SELECT c.xid::text::bigint FROM live_event_changes c WHERE c.xid >= oldest UNION SELECT h.xid::text::bigint FROM hidden_from_changes h WHERE h.xid >= oldest) AS seen
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS oldest OFFSET 0) begun OFFSET 0) noted OFFSET 0) known) AS snapshot`;

/**
 * SQL: true if the snapshot does not contain the row of changes. `snapshot`: the placeholder of a parameter, like `$8`.
 */
export function isNotInSnapshot(row: string, snapshot: string): string {
  return `${row}.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) AND NOT pg_visible_in_snapshot(${row}.xid, ${snapshot}::pg_snapshot)`;
}

/**
 * The difference from the known totals: events that have ended, were added or were removed since the known totals were
 * stored.
 */
export function changesSinceTotals({ unindexed: conditions }: Conditions): string {
  return `since AS MATERIALIZED (
  SELECT coalesce(sum(l.sign), 0) AS listed, coalesce(sum(l.sign) FILTER (WHERE NOT ${FOR_VIEWER}), 0) AS hidden FROM (
    SELECT -1 AS sign, l.id, l.organizer_id
      FROM (SELECT * FROM live_events WHERE over_at > $9::timestamptz AND over_at <= $2 OFFSET 0) l WHERE true${conditions}
    UNION ALL
    SELECT l.sign, l.id, l.organizer_id
      FROM (SELECT * FROM live_event_changes c WHERE ${isNotInSnapshot('c', '$8')} OFFSET 0) l
     WHERE l.over_at > $9::timestamptz${conditions}) l)`;
}

/**
 * Whether blocks or bans that hide events from the viewer have changed since the snapshot. After such a change, the
 * events hidden from the viewer must be counted again (docs/adr/0007-totals.md).
 */
const HIDING_HAS_CHANGED = `EXISTS (SELECT 1 FROM hidden_from_changes h WHERE h.user_id = $1 AND ${isNotInSnapshot('h', '$8')})`;

/**
 * SQL: the known totals plus the changes in `since` (`changesSinceTotals`). `hidden` is null if the events hidden from
 * the viewer must be counted again.
 */
export const UPDATED_TOTALS = `
  SELECT $6::bigint + since.listed AS listed, CASE WHEN ${HIDING_HAS_CHANGED} THEN NULL ELSE $7::bigint + since.hidden END AS hidden, ${SNAPSHOT} FROM since`;

/**
 * SQL: counts the unknown totals, and adds the changes in `since` to the total for all viewers if this total is known.
 */
export function exactCount({ sql, unindexed: filtering }: Conditions): string {
  return `
  SELECT CASE WHEN $6::bigint IS NULL THEN (SELECT count(*) FROM live_events l WHERE ${NOT_OVER}${sql}) ELSE $6::bigint + since.listed END AS listed,
         ${hiddenCount(`${filtering} AND $7::bigint IS NULL`)} AS hidden, ${SNAPSHOT}
    FROM since`;
}

/**
 * The number of matching events that are hidden from the viewer: events of organizers who block the viewer, events of
 * organizer $5, and events from which the viewer is banned.
 */
export function hiddenCount(conditions: string): string {
  return `(SELECT count(*) FROM (
            SELECT * FROM live_events WHERE organizer_id = ANY (ARRAY(${BLOCKERS} UNION ALL SELECT $5::bigint))
            UNION ALL
            SELECT * FROM live_events WHERE id = ANY (ARRAY(${BANNED})) AND organizer_id <> $5 AND organizer_id NOT IN (${BLOCKERS}) OFFSET 0) l
           WHERE ${NOT_OVER}${conditions})`;
}
