import { LIMITS } from '#contract/limits';
import { shortRead, statement, type Statement } from '#platform/database/database';
import { isOpenSql, seesEventSql } from '../../events/event-relation';
import { perScope } from '../../events/event-scopes.sql';
import { VIEWER_COLUMNS, VIEWER_JOINS } from '../event-for-viewer.resource';

/**
 * Event $2 with the columns that a response to user $1 needs. `EventForViewerReader` checks afterwards whether the user
 * sees the event.
 */
export const EVENT_FOR_VIEWER = shortRead(
  'participation_event_for_viewer',
  `SELECT ${VIEWER_COLUMNS} FROM events e ${VIEWER_JOINS} WHERE e.id = $2`,
);

/** Like EVENT_FOR_VIEWER, for the events with the ids $2. */
export const EVENTS_FOR_VIEWER = statement(
  'participation_events_for_viewer',
  `SELECT ${VIEWER_COLUMNS} FROM events e ${VIEWER_JOINS} WHERE e.id = ANY($2)`,
);

/** Like EVENT_FOR_VIEWER, with two more columns: whether user $1 is checked in, and whether the waitlist is full. */
export const EVENT_STATE_FOR_VIEWER = statement(
  'participation_event_state_for_viewer',
  `SELECT ${VIEWER_COLUMNS}, EXISTS (SELECT 1 FROM participations p WHERE p.event_id = e.id AND p.user_id = $1 AND p.checked_in_at IS NOT NULL) AS is_checked_in,
          EXISTS (SELECT FROM participations w WHERE w.event_id = e.id AND w.status = 'waitlisted' OFFSET ${LIMITS.participation.waitlisted_per_event - 1}) AS is_waitlist_full
     FROM events e ${VIEWER_JOINS} WHERE e.id = $2`,
);

/**
 * SQL condition: event `e` is active and not over, viewer $1 sees it, and its `column` has the value $2. $3 is now.
 */
const isComingSql = (column: string): string => `e.${column} = $2 AND ${isOpenSql('$3')} AND ${seesEventSql('$1')}`;
const COLUMN_OF = { group: 'group_id', series: 'series_id', organizer: 'organizer_id' } as const;

function perColumn(create: (name: string, condition: string) => Statement): Record<keyof typeof COLUMN_OF, Statement> {
  return {
    group: create('group', isComingSql(COLUMN_OF.group)),
    series: create('series', isComingSql(COLUMN_OF.series)),
    organizer: create('organizer', isComingSql(COLUMN_OF.organizer)),
  };
}

/** The events of a group, a series or an organizer that meet `isComingSql`, the earliest first. $4 limit, $5 offset. */
export const COMING_EVENTS = perColumn((name, condition) =>
  statement(
    `participation_coming_${name}`,
    `SELECT ${VIEWER_COLUMNS} FROM events e ${VIEWER_JOINS} WHERE ${condition} ORDER BY e.starts_at, e.id LIMIT $4 OFFSET $5`,
  ),
);

export const COMING_EVENTS_TOTAL = perColumn((name, condition) =>
  statement(
    `participation_coming_${name}_total`,
    `SELECT count(*)::int AS total FROM events e LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = $1 WHERE ${condition}`,
  ),
);

const RELATED = `FROM participations me
  JOIN events e ON e.id = me.event_id
  WHERE me.user_id = $1 AND me.status = $2`;

/**
 * Selects the events of the requested page first, and then reads the other tables only for these events. Otherwise the
 * statement would read the other tables for all events of the user, and some users have thousands of events. $4 limit,
 * $5 offset.
 */
const pageOfRelatedSql = (
  condition: string,
  order: string,
): string => `FROM (SELECT e.id ${RELATED} AND ${condition} ${order} LIMIT $4 OFFSET $5) page
  JOIN events e ON e.id = page.id ${VIEWER_JOINS}
  ${order}`;

/** For each scope (such as upcoming or past), the events at which viewer $1 has the status $2. $3 is now. */
export const RELATED_EVENTS = perScope(
  'participation_related',
  '$3',
  ({ condition, order }) => `SELECT ${VIEWER_COLUMNS} ${pageOfRelatedSql(condition, order)}`,
);

export const RELATED_EVENTS_TOTAL = perScope(
  'participation_related_total',
  '$3',
  ({ condition }) => `SELECT count(*)::int AS total ${RELATED} AND ${condition}`,
);
