import { statement } from '#platform/database/database';
import { OWN_EVENT_COLUMNS, type EventRow } from '../event.resource';
import { perScope } from '../event-scopes.sql';

/** An event with the columns that only its organizer sees. */
export interface OwnEventRow extends EventRow {
  join_password_sealed: string | null;
  version: string;
  offers_until: readonly Date[] | null;
}

/** SQL: selects events `e` with all columns that the organizer sees. */
export const SELECT_OWN_EVENT = `SELECT ${OWN_EVENT_COLUMNS}, e.join_password_sealed, e.version FROM events e`;

export const OWN_EVENT = statement('events_own', `${SELECT_OWN_EVENT} WHERE e.id = $1`);

/** The events with ids $1, with the columns of OWN_EVENT. */
export const OWN_EVENTS_BY_IDS = statement('events_own_by_ids', `${SELECT_OWN_EVENT} WHERE e.id = ANY($1)`);

/**
 * The events of an organizer: one statement for each value of the query parameter `scope` (upcoming, past, any). The
 * events are in the order of the index `events_organizer`. $1 organizer, $2 now, $3 limit, $4 offset.
 */
export const OWN_EVENTS = perScope(
  'events_own',
  '$2',
  ({ condition, order }) =>
    `${SELECT_OWN_EVENT} WHERE e.organizer_id = $1 AND ${condition} ${order} LIMIT $3 OFFSET $4`,
);

export const OWN_EVENTS_TOTAL = perScope(
  'events_own_total',
  '$2',
  ({ condition }) => `SELECT count(*)::int AS total FROM events e WHERE e.organizer_id = $1 AND ${condition}`,
);
