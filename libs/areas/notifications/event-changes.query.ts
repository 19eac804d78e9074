import { statement } from '#platform/database/database';
import { isOpenSql, VIEWER_STATES_SQL } from '../events/event-relation';
import { blocksSql } from '../identity/account-conditions.sql';

/**
 * SQL: whether the person of participation `p` gets notices of changes of event `e`. The person must be confirmed,
 * invited, waitlisted or waiting for approval, must not be the event's organizer, and must not block the organizer.
 */
const CONCERNED = `p.status IN (${VIEWER_STATES_SQL}) AND p.user_id <> e.organizer_id
  AND NOT ${blocksSql('p.user_id', 'e.organizer_id')}`;

/** SQL: the time when participation `p`, the person's relation to the event, began. */
const RELATED_SINCE = 'coalesce(p.related_since, p.created_at)';

const instantAsText = (column: string): string => `to_jsonb(${column}) #>> '{}'`;
const withoutConversion = (column: string): string => column;

/**
 * SQL: the entries `<name>_from` and `<name>_to` of `notifications.words`. They contain the values of `column` before
 * and after the change, as text (`toText`). A missing value is an empty text. If the values are equal, both entries are
 * null.
 */
function changeWords(name: string, column: string, toText: (column: string) => string, before: string): string {
  const side = (row: string): string =>
    `CASE WHEN ${before}.${column} IS DISTINCT FROM e.${column} THEN coalesce(${toText(`${row}.${column}`)}, '') END`;
  return `'${name}_from', ${side(before)}, '${name}_to', ${side('e')}`;
}

/** SQL: the entries of `words` about the place, if the places of the row `before` and of event `e` differ. */
function placeWords(before: string): string {
  return `${changeWords('place', 'location_name', withoutConversion, before)}, ${changeWords('address', 'location_address', withoutConversion, before)},
    'moved', CASE WHEN (${before}.latitude, ${before}.longitude) IS DISTINCT FROM (e.latitude, e.longitude) THEN '1' END`;
}

/** SQL: whether event `e` and the row `before` have different places. */
function isElsewhere(before: string): string {
  return `(${before}.location_name, ${before}.location_address, ${before}.latitude, ${before}.longitude)
    IS DISTINCT FROM (e.location_name, e.location_address, e.latitude, e.longitude)`;
}

/**
 * Records that event $1 changed at $2. Stores the time and place before the change ($3 to $8) only if the event has no
 * row yet.
 */
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
 * Deletes the row with the collected changes of event $1, and writes the notices about them with the time $2. Returns
 * the number of notices. The calling code has locked the event.
 *
 * - If $3 is an instant and the last collected change is later, the statement does nothing.
 * - If $3 is null and the event is over, cancelled or hidden, the statement does nothing. The row remains, because the
 *   organizer may still correct the time.
 * - Notices are written only if the event is visible, not cancelled and not over, and its time or place differs from
 *   the time or place before the first collected change.
 * - People whose relation to the event began after the last collected change get no notice (NOTE-11).
 */
export const WRITE_EVENT_CHANGED = statement(
  'notifications_event_changed',
  `WITH change AS (DELETE FROM event_changes WHERE event_id = $1
        AND coalesce(changed_at <= $3::timestamptz, EXISTS (SELECT FROM events e WHERE e.id = $1 AND ${isOpenSql('$2')})) RETURNING *), written AS (
     INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, words, created_at)
     SELECT p.user_id, 'event_changed', e.id, e.title, e.starts_at, jsonb_strip_nulls(jsonb_build_object(
              ${changeWords('starts', 'starts_at', instantAsText, 'c')}, ${changeWords('ends', 'ends_at', instantAsText, 'c')}, ${placeWords('c')})), $2
       FROM change c JOIN events e ON e.id = c.event_id JOIN participations p ON p.event_id = e.id
      WHERE ${isOpenSql('$2')} AND ((c.starts_at, c.ends_at) IS DISTINCT FROM (e.starts_at, e.ends_at) OR ${isElsewhere('c')})
        AND ${CONCERNED} AND ${RELATED_SINCE} <= c.changed_at
      ORDER BY p.user_id
     RETURNING 1)
   SELECT count(*)::int AS written FROM written`,
);

/**
 * Writes notices after a change of a series has moved the events $1 to another place. $2 to $5 are the places of these
 * events before this change. $6 is the time of the notices. Each concerned person (`CONCERNED`) gets one notice. The
 * notice is about the earliest of these events whose former place differs from the new place, and contains both places.
 *
 * - The former place of an event is normally the place before this change. Exception: the event has a row of
 *   `event_changes`, and the person's relation to the event did not begin after the last collected change. Then the
 *   former place is the place in this row, which is the place before the first collected change.
 * - This statement also writes the new places to the rows of `event_changes`. So the later notices about the collected
 *   changes omit the place.
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
     LEFT JOIN event_changes c ON c.event_id = e.id AND ${RELATED_SINCE} <= c.changed_at
    CROSS JOIN LATERAL (
      SELECT before.location_name, before.location_address, before.latitude, before.longitude WHERE c.event_id IS NULL
      UNION ALL SELECT c.location_name, c.location_address, c.latitude, c.longitude WHERE c.event_id IS NOT NULL) AS known
    WHERE ${isElsewhere('known')} AND ${CONCERNED}
    ORDER BY p.user_id, e.starts_at, e.id`,
);
