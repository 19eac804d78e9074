import { REMINDER_HOURS } from '#contract/vocabulary';
import { statement } from '#platform/database/database';

/** The times that people can choose for their reminders, in hours before the start of the event. */
const HOURS = REMINDER_HOURS.filter((hours) => hours > 0).join(', ');

/** SQL: the time that is `hours` before the start of an event. */
const before = (hours: string, event: string): string => `${event}.starts_at - make_interval(hours => ${hours})`;

/**
 * At most $2 events for which reminders may be due at $1, and how many confirmed participants each event has. The rows
 * are locked, so concurrent runs skip these events.
 */
export const TAKE_DUE_EVENTS = statement(
  'notifications_take_due_events',
  `SELECT r.event_id, a.confirmed_count FROM event_reminders r JOIN all_events a ON a.id = r.event_id
    WHERE r.look_at <= $1 ORDER BY r.look_at, r.event_id LIMIT $2 FOR UPDATE OF r SKIP LOCKED`,
);

/**
 * Writes the reminders that are due at $2 for the visible, active events among $1 that have not started. The organizer
 * gets no reminder. A person who was confirmed after the reminder was due gets no reminder. If the start of the event
 * was changed after a reminder was due, this reminder is not written. Returns the number of new reminders.
 */
export const WRITE_REMINDERS = statement(
  'notifications_write_reminders',
  `WITH written AS (
     INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, words, created_at)
     SELECT p.user_id, 'reminder', e.id, e.title, e.starts_at,
            jsonb_strip_nulls(jsonb_build_object('place', coalesce(nullif(e.location_name, ''), e.location_address))), $2
       FROM event_reminders r JOIN events e ON e.id = r.event_id
       JOIN participations p ON p.event_id = e.id AND p.status = 'confirmed' AND p.user_id <> e.organizer_id
       JOIN users u ON u.id = p.user_id AND u.reminder_hours > 0
      CROSS JOIN LATERAL (SELECT ${before('u.reminder_hours', 'e')} AS at) due
      WHERE r.event_id = ANY ($1::bigint[]) AND e.status = 'active' AND e.starts_at > $2
        AND due.at <= $2 AND r.start_set_at <= due.at AND coalesce(p.joined_at, p.created_at) <= due.at
      ORDER BY p.user_id, e.id
     ON CONFLICT (event_id, user_id, event_starts_at) WHERE kind = 'reminder' DO NOTHING
     RETURNING 1)
   SELECT count(*)::int AS written FROM written`,
);

/**
 * Deletes the rows of `event_reminders` for those of the events $1 that have started by $2 or are cancelled. No more
 * reminders are due for these events.
 */
export const FORGET_STARTED = statement(
  'notifications_forget_started',
  `DELETE FROM event_reminders r USING all_events a
    WHERE r.event_id = ANY ($1::bigint[]) AND a.id = r.event_id AND (a.starts_at <= $2 OR a.status <> 'active')`,
);

/**
 * Sets the time of the next check for each of the events $1: the next time after $2 at which a reminder may be due, or
 * else the start of the event. A hidden event is checked again a minute after $2, because it may become visible before
 * its start.
 */
export const SET_NEXT_CHECK = statement(
  'notifications_set_next_check',
  `UPDATE event_reminders r SET look_at = CASE
       WHEN NOT EXISTS (SELECT FROM events e WHERE e.id = a.id) THEN $2::timestamptz + interval '1 minute'
       ELSE coalesce((SELECT min(${before('h', 'a')}) FROM unnest(ARRAY[${HOURS}]) h WHERE ${before('h', 'a')} > $2), a.starts_at) END
     FROM all_events a WHERE r.event_id = ANY ($1::bigint[]) AND a.id = r.event_id`,
);
