import { statement } from '#platform/database/database';
import { perScope } from '../../events/event-scopes.reader';
import { VIEWER_COLUMNS, VIEWER_JOINS } from '../event-for-viewer.resource';

/** One event as $1 sees it; whether they may is asked before. */
export const EVENT_FOR_VIEWER = statement(
  'participation_event_for_viewer',
  `SELECT ${VIEWER_COLUMNS} FROM events e ${VIEWER_JOINS} WHERE e.id = $2`,
);

const RELATED = `FROM participations me
  JOIN events e ON e.id = me.event_id
  JOIN users o ON o.id = e.organizer_id
  WHERE me.user_id = $1 AND me.status = $2`;

/** Events by the viewer's relation ($2) and scope: $1 viewer, $3 now, $4 limit, $5 offset. */
export const RELATED_EVENTS = perScope(
  'participation_related',
  '$3',
  ({ holds, order }) => `SELECT ${VIEWER_COLUMNS} ${RELATED} AND ${holds} ${order} LIMIT $4 OFFSET $5`,
);

export const RELATED_EVENTS_TOTAL = perScope(
  'participation_related_total',
  '$3',
  ({ holds }) => `SELECT count(*)::int AS total ${RELATED} AND ${holds}`,
);
