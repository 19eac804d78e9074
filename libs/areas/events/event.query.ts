import { statement } from '#platform/database/database';
import { EVENT_COLUMNS, type EventRow } from './event.resource';

/** With what only its organizer sees. */
export interface OwnEventRow extends EventRow {
  join_password_sealed: string | null;
}

/** An event `e` as its organizer sees it. */
export const OWN = `SELECT ${EVENT_COLUMNS}, e.join_password_sealed FROM events e`;

export const OWN_EVENT = statement('events_own', `${OWN} WHERE e.id = $1`);

/** An index walk with the order of `events_organizer`: $1 organizer, $2 now, $3 limit, $4 offset. */
const PAGE = 'LIMIT $3 OFFSET $4';
const UPCOMING = `e.organizer_id = $1 AND e.status = 'active' AND e.over_at > $2`;
const PAST = `e.organizer_id = $1 AND (e.status = 'cancelled' OR e.over_at <= $2)`;
/** Any scope: $2 is named so that all six statements take the same values. */
const ANY = 'e.organizer_id = $1 AND $2::timestamptz IS NOT NULL';

/** Own events by scope (api-spec, "Rules for GET /events" 2 and 3). */
export const OWN_EVENTS = {
  upcoming: statement('events_own_upcoming', `${OWN} WHERE ${UPCOMING} ORDER BY e.starts_at, e.id ${PAGE}`),
  past: statement('events_own_past', `${OWN} WHERE ${PAST} ORDER BY e.starts_at DESC, e.id DESC ${PAGE}`),
  any: statement('events_own_any', `${OWN} WHERE ${ANY} ORDER BY e.starts_at DESC, e.id DESC ${PAGE}`),
} as const;

const COUNT = 'SELECT count(*)::int AS total FROM events e';

export const OWN_EVENTS_TOTAL = {
  upcoming: statement('events_own_upcoming_total', `${COUNT} WHERE ${UPCOMING}`),
  past: statement('events_own_past_total', `${COUNT} WHERE ${PAST}`),
  any: statement('events_own_any_total', `${COUNT} WHERE ${ANY}`),
} as const;
