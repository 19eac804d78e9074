import { statement } from '#platform/database/database';
import { EVENT_COLUMNS, EVENT_MARK, type EventRow } from '../event.resource';
import { perScope } from '../event-scopes.reader';

/** With what only its organizer sees. */
export interface OwnEventRow extends EventRow {
  join_password_sealed: string | null;
  version: string;
  /** EVENT_MARK; only from queries for whoever asks again. */
  mark?: string;
}

/** An event `e` as its organizer sees it. */
export const SELECT_OWN_EVENT = `SELECT ${EVENT_COLUMNS}, e.join_password_sealed, e.version FROM events e`;

/** With its mark, for whoever asks again. */
const SELECT_MARKED = `SELECT ${EVENT_COLUMNS}, e.join_password_sealed, e.version, ${EVENT_MARK} AS mark FROM events e`;

/** One of $2's, with its mark, and whether it still has that ($3). */
export const OWN_EVENT_MARKED = statement('events_own_marked', `${SELECT_MARKED} WHERE e.id = $1 AND e.organizer_id = $2`);
export const OWN_EVENT_STANDS = statement('events_own_stands', `SELECT 1 AS stands FROM events e WHERE e.id = $1 AND e.organizer_id = $2 AND ${EVENT_MARK} = $3`);

export const OWN_EVENT = statement('events_own', `${SELECT_OWN_EVENT} WHERE e.id = $1`);

/** Own events by scope, an index scan in the order of `events_organizer`: $1 organizer, $2 now, $3 limit, $4 offset. */
export const OWN_EVENTS = perScope(
  'events_own',
  '$2',
  ({ holds, order }) => `${SELECT_OWN_EVENT} WHERE e.organizer_id = $1 AND ${holds} ${order} LIMIT $3 OFFSET $4`,
);

export const OWN_EVENTS_TOTAL = perScope(
  'events_own_total',
  '$2',
  ({ holds }) => `SELECT count(*)::int AS total FROM events e WHERE e.organizer_id = $1 AND ${holds}`,
);

/** The same list with marks. */
export const OWN_EVENTS_MARKED = perScope(
  'events_own_list_marked',
  '$2',
  ({ holds, order }) => `${SELECT_MARKED} WHERE e.organizer_id = $1 AND ${holds} ${order} LIMIT $3 OFFSET $4`,
);

/** Whether it still has so many in all ($5), and on this page those with these marks ($6). */
export const OWN_EVENTS_STAND = perScope(
  'events_own_list_stands',
  '$2',
  ({ holds, order }) => `SELECT 1 AS stands WHERE (SELECT count(*) FROM events e WHERE e.organizer_id = $1 AND ${holds}) = $5
    AND $6::bigint[] = ARRAY(SELECT ${EVENT_MARK} FROM events e WHERE e.organizer_id = $1 AND ${holds} ${order} LIMIT $3 OFFSET $4)`,
);
