import { PRIVATE_EVENT_VIEWERS } from '#contract/vocabulary';
import { statement } from '#platform/database/database';
import { isOpenSql } from '../events/event-relation';

const RELATED = PRIVATE_EVENT_VIEWERS.map((state) => `'${state}'`).join(', ');

/**
 * SQL: whether participation `p` of event `e` gets notices of its changes: the person has a relation to the event and
 * does not block the organizer.
 */
const CONCERNED = `p.status IN (${RELATED}) AND p.user_id <> e.organizer_id
  AND NOT EXISTS (SELECT FROM user_blocks b WHERE b.blocker_id = p.user_id AND b.blocked_id = e.organizer_id)`;

const SINCE = 'coalesce(p.related_since, p.created_at)';

const instant = (column: string): string => `to_jsonb(${column}) #>> '{}'`;
const text = (column: string): string => column;

/** SQL: both values of one column under the words `<name>_from` and `<name>_to`, an empty text for a missing value; nulls where they are equal. */
function changed(name: string, column: string, shown: (column: string) => string, before: string): string {
  const side = (row: string): string =>
    `CASE WHEN ${before}.${column} IS DISTINCT FROM e.${column} THEN coalesce(${shown(`${row}.${column}`)}, '') END`;
  return `'${name}_from', ${side(before)}, '${name}_to', ${side('e')}`;
}

/** SQL: the words of the place's change from the row `before` to the event `e`. */
function placeWords(before: string): string {
  return `${changed('place', 'location_name', text, before)}, ${changed('address', 'location_address', text, before)},
    'moved', CASE WHEN (${before}.latitude, ${before}.longitude) IS DISTINCT FROM (e.latitude, e.longitude) THEN '1' END`;
}

/** SQL: whether the place of the event `e` is another than that of the row `before`. */
function isElsewhere(before: string): string {
  return `(${before}.location_name, ${before}.location_address, ${before}.latitude, ${before}.longitude)
    IS DISTINCT FROM (e.location_name, e.location_address, e.latitude, e.longitude)`;
}

/** Event $1 changed at $2; the state before ($3 to $8) is stored with the first change only. */
export const COLLECT_CHANGE = statement(
  'notifications_collect_change',
  `INSERT INTO event_changes (event_id, changed_at, starts_at, ends_at, location_name, location_address, latitude, longitude)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (event_id) DO UPDATE SET changed_at = excluded.changed_at`,
);

/** At most $2 events whose last change was at or before $1. */
export const QUIET_EVENTS = statement(
  'notifications_quiet_events',
  'SELECT event_id FROM event_changes WHERE changed_at <= $1 ORDER BY changed_at LIMIT $2',
);

/**
 * Ends the collection of event $1 at $2, unless it changed after $3, and writes its notices, if time or place is another than before the first change. The event is locked
 * by the caller. Nothing is written for an event that is cancelled, over or out of sight. Returns the number of notices.
 */
export const WRITE_EVENT_CHANGED = statement(
  'notifications_event_changed',
  `WITH change AS (DELETE FROM event_changes WHERE event_id = $1 AND changed_at <= $3 RETURNING *), written AS (
     INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, words, created_at)
     SELECT p.user_id, 'event_changed', e.id, e.title, e.starts_at, jsonb_strip_nulls(jsonb_build_object(
              ${changed('starts', 'starts_at', instant, 'c')}, ${changed('ends', 'ends_at', instant, 'c')}, ${placeWords('c')})), $2
       FROM change c JOIN events e ON e.id = c.event_id JOIN participations p ON p.event_id = e.id
      WHERE ${isOpenSql('$2')} AND ((c.starts_at, c.ends_at) IS DISTINCT FROM (e.starts_at, e.ends_at) OR ${isElsewhere('c')})
        AND ${CONCERNED} AND ${SINCE} <= c.changed_at
      ORDER BY p.user_id
     RETURNING 1)
   SELECT count(*)::int AS written FROM written`,
);

/**
 * A change of a series moved the events $1, each from the place $2 to $5, at $6: each person gets one notice, about the earliest of them to
 * which they have a relation. Where changes are being collected, people know the place from before those, and the notice to come leaves the place out;
 * people who came later know the place from before this change.
 */
export const WRITE_SERIES_CHANGED = statement(
  'notifications_series_changed',
  `WITH before AS (
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::float8[], $5::float8[])
       AS b (event_id, location_name, location_address, latitude, longitude)
   ), collected AS (
     UPDATE event_changes c SET location_name = e.location_name, location_address = e.location_address, latitude = e.latitude, longitude = e.longitude
       FROM events e WHERE e.id = c.event_id AND c.event_id = ANY ($1::bigint[])
   )
   INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, words, created_at)
   SELECT DISTINCT ON (p.user_id) p.user_id, 'series_changed', e.id, e.title, e.starts_at,
          jsonb_strip_nulls(jsonb_build_object(${placeWords('known')})), $6::timestamptz
     FROM before JOIN events e ON e.id = before.event_id JOIN participations p ON p.event_id = e.id
     LEFT JOIN event_changes c ON c.event_id = e.id AND ${SINCE} <= c.changed_at
    CROSS JOIN LATERAL (
      SELECT before.location_name, before.location_address, before.latitude, before.longitude WHERE c.event_id IS NULL
      UNION ALL SELECT c.location_name, c.location_address, c.latitude, c.longitude WHERE c.event_id IS NOT NULL) AS known
    WHERE ${isElsewhere('known')} AND ${CONCERNED}
    ORDER BY p.user_id, e.starts_at, e.id`,
);
