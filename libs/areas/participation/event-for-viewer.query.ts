import { statement } from '#platform/database/database';
import { VIEWER_COLUMNS, VIEWER_JOINS } from './event-for-viewer.resource';

/** One event as $1 sees it; whether they may is asked before. */
export const EVENT_FOR_VIEWER = statement(
  'participation_event_for_viewer',
  `SELECT ${VIEWER_COLUMNS} FROM events e ${VIEWER_JOINS} WHERE e.id = $2`,
);

const RELATED = `FROM participations me
  JOIN events e ON e.id = me.event_id
  JOIN users o ON o.id = e.organizer_id
  WHERE me.user_id = $1 AND me.status = $2`;
const UPCOMING = `e.status = 'active' AND e.over_at > $3`;
const PAST = `(e.status = 'cancelled' OR e.over_at <= $3)`;
const ANY = '$3::timestamptz IS NOT NULL';
const PAGE = 'LIMIT $4 OFFSET $5';

/** Events by the viewer's relation ($2) and scope (api-spec, "Rules for GET /events"). */
export const RELATED_EVENTS = {
  upcoming: statement('participation_related_upcoming', `SELECT ${VIEWER_COLUMNS} ${RELATED} AND ${UPCOMING} ORDER BY e.starts_at, e.id ${PAGE}`),
  past: statement('participation_related_past', `SELECT ${VIEWER_COLUMNS} ${RELATED} AND ${PAST} ORDER BY e.starts_at DESC, e.id DESC ${PAGE}`),
  any: statement('participation_related_any', `SELECT ${VIEWER_COLUMNS} ${RELATED} AND ${ANY} ORDER BY e.starts_at DESC, e.id DESC ${PAGE}`),
} as const;

export const RELATED_EVENTS_TOTAL = {
  upcoming: statement('participation_related_upcoming_total', `SELECT count(*)::int AS total ${RELATED} AND ${UPCOMING}`),
  past: statement('participation_related_past_total', `SELECT count(*)::int AS total ${RELATED} AND ${PAST}`),
  any: statement('participation_related_any_total', `SELECT count(*)::int AS total ${RELATED} AND ${ANY}`),
} as const;
