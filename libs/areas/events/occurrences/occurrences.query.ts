import { statement } from '#platform/database/database';
import { SELECT_OWN_EVENT } from '../writing/event.query';
import { EVENT_LOCK } from '../event-locks';
import { isUpcomingOccurrenceSql } from '../event-scopes.sql';
import { TEMPLATE_COLUMNS } from '../writing/event.template';

const COLUMNS = TEMPLATE_COLUMNS.join(', ');
const TEMPLATE_VALUES = TEMPLATE_COLUMNS.map((column) => `t.${column}`).join(', ');

/**
 * Creates occurrences. $1: an array of templates, each with its series_id and organizer_id. $2 to $5: arrays with one
 * element for each occurrence: series, index, start and end. $6: now. $7: `seeking_company`. An occurrence whose index
 * already exists is skipped. The templates must be complete (`completeTemplate`), because a missing field would become
 * NULL instead of the column's default.
 */
export const CREATE_OCCURRENCES = statement(
  'events_create_occurrences',
  `INSERT INTO events (organizer_id, series_id, series_index, starts_at, ends_at, seeking_company, created_at, updated_at, ${COLUMNS})
   SELECT t.organizer_id, t.series_id, o.series_index, o.starts_at, o.ends_at, $7, $6, $6, ${TEMPLATE_VALUES}
     FROM unnest($2::bigint[], $3::integer[], $4::timestamptz[], $5::timestamptz[]) AS o (series_id, series_index, starts_at, ends_at)
     JOIN jsonb_populate_recordset(NULL::events, $1::jsonb) AS t USING (series_id)
    ORDER BY o.series_id, o.series_index
   ON CONFLICT (series_id, series_index) DO NOTHING
   RETURNING id`,
);

/**
 * Writes a template into each event. $1: an array of templates, each with the id of its event. $2: now. The calling
 * code has locked the events.
 */
export const CHANGE_OCCURRENCES = statement(
  'events_change_occurrences',
  `UPDATE events e SET (updated_at, ${COLUMNS}) = ($2::timestamptz, ${TEMPLATE_VALUES})
     FROM jsonb_populate_recordset(NULL::events, $1::jsonb) AS t
    WHERE e.id = t.id`,
);

const IS_UPCOMING_OCCURRENCE = `e.series_id = $1 AND ${isUpcomingOccurrenceSql('$2')}`;

/**
 * Locks the occurrences of series $1 that are upcoming at $2. The locks are taken in the order of the ids, as in all
 * statements that lock several events.
 */
export const LOCK_UPCOMING_OCCURRENCES = statement(
  'events_lock_upcoming_occurrences',
  `SELECT e.id FROM events e WHERE ${IS_UPCOMING_OCCURRENCE} ORDER BY e.id ${EVENT_LOCK.rewrite}`,
);

/** The condition on $2 is always true. It exists only so that both scopes have the same parameters. */
const IS_ANY_OCCURRENCE = 'e.series_id = $1 AND $2::timestamptz IS NOT NULL';

/** Occurrences by scope, ordered by start: $1 series, $2 now, $3 limit, $4 offset. */
export const OCCURRENCES = {
  upcoming: statement(
    'events_occurrences_upcoming',
    `${SELECT_OWN_EVENT} WHERE ${IS_UPCOMING_OCCURRENCE} ORDER BY e.starts_at, e.id LIMIT $3 OFFSET $4`,
  ),
  any: statement(
    'events_occurrences_any',
    `${SELECT_OWN_EVENT} WHERE ${IS_ANY_OCCURRENCE} ORDER BY e.starts_at, e.id LIMIT $3 OFFSET $4`,
  ),
} as const;

export const OCCURRENCES_TOTAL = {
  upcoming: statement(
    'events_occurrences_upcoming_total',
    `SELECT count(*)::int AS total FROM events e WHERE ${IS_UPCOMING_OCCURRENCE}`,
  ),
  any: statement(
    'events_occurrences_any_total',
    `SELECT count(*)::int AS total FROM events e WHERE ${IS_ANY_OCCURRENCE}`,
  ),
} as const;
