import type { GroupLink } from '#contract/vocabulary';
import { statement } from '#platform/database/database';
import { seesEventSql } from '../events/event-relation';
import { perScope } from '../events/event-scopes.sql';
import { VIEWER_COLUMNS, VIEWER_JOINS } from '../participation/event-for-viewer.resource';

/** SQL: the events that belong to group $2, and the events in which the group is interested. */
const LINKED = `FROM (SELECT id AS event_id, 'own' AS group_link FROM events WHERE group_id = $2
         UNION ALL
         SELECT event_id, 'interest' FROM group_interests WHERE group_id = $2) linked
  JOIN events e ON e.id = linked.event_id`;

const VISIBLE = seesEventSql('$1');

/** The events in `LINKED` that the viewer sees, by scope: $1 viewer, $2 group, $3 now, $4 limit, $5 offset. */
export const GROUP_EVENTS = perScope(
  'group_events',
  '$3',
  ({ condition, order }) =>
    `SELECT ${VIEWER_COLUMNS}, linked.group_link ${LINKED} ${VIEWER_JOINS} WHERE ${VISIBLE} AND ${condition} ${order} LIMIT $4 OFFSET $5`,
);

export const GROUP_EVENTS_TOTAL = perScope(
  'group_events_total',
  '$3',
  ({ condition }) =>
    `SELECT count(*)::int AS total ${LINKED} LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = $1 WHERE ${VISIBLE} AND ${condition}`,
);

export interface GroupLinkRow {
  readonly group_id: string;
  readonly event_id: string;
  readonly group_link: GroupLink;
}

/**
 * The links of pairs of a group and an event. The nth item of $1 is a group, and the nth item of $2 is an event. A pair
 * without a link has no row.
 */
export const GROUP_LINKS = statement(
  'group_events_links',
  `SELECT asked.group_id, asked.event_id, CASE WHEN e.group_id = asked.group_id THEN 'own' ELSE 'interest' END AS group_link
     FROM unnest($1::bigint[], $2::bigint[]) AS asked (group_id, event_id) JOIN events e ON e.id = asked.event_id
    WHERE e.group_id = asked.group_id OR EXISTS (SELECT FROM group_interests i WHERE i.group_id = asked.group_id AND i.event_id = asked.event_id)`,
);

/** Records the interest of group $1 in event $2. User $3 adds it at $4. An existing record does not change. */
export const ADD_INTEREST = statement(
  'group_events_add_interest',
  'INSERT INTO group_interests (group_id, event_id, added_by, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
);

export const REMOVE_INTEREST = statement(
  'group_events_remove_interest',
  'DELETE FROM group_interests WHERE group_id = $1 AND event_id = $2 RETURNING event_id',
);

/** The groups that are interested in event $1. */
export const INTERESTED_GROUPS = statement(
  'group_events_interested_groups',
  'SELECT group_id FROM group_interests WHERE event_id = $1',
);
