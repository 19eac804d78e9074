import { statement } from '#platform/database/database';
import { VIEWER_COLUMNS, VIEWER_JOINS } from '../participation/event-for-viewer.resource';

/** What Discover lists for $1 at $2: other people's public, active events that have not ended, without bans and blocks. */
const LISTED = `e.is_public AND e.status = 'active' AND e.over_at > $2 AND e.organizer_id <> $1
   AND NOT EXISTS (SELECT 1 FROM participations x WHERE x.event_id = e.id AND x.user_id = $1 AND x.status = 'banned')
   AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.blocker_id = e.organizer_id AND b.blocked_id = $1)`;

/** Boosted first, then by start. $3 limit, $4 offset. */
export const DISCOVER_PAGE = statement(
  'discover_page',
  `SELECT ${VIEWER_COLUMNS} FROM events e ${VIEWER_JOINS} WHERE ${LISTED}
    ORDER BY (e.boosted_until IS NOT NULL AND e.boosted_until > $2) DESC, e.starts_at, e.id LIMIT $3 OFFSET $4`,
);

export const DISCOVER_TOTAL = statement('discover_total', `SELECT count(*)::int AS total FROM events e WHERE ${LISTED}`);
