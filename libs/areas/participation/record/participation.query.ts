import { shortRead, statement } from '#platform/database/database';
import { VIEWER_STATES_SQL } from '../../events/event-relation';
import { takeSeatOf } from '../../events/event-seats';
import { VIEWER_COLUMNS, VIEWER_JOINS } from '../event-for-viewer.resource';

/**
 * Event $2 with the columns that a response to user $1 needs, and with two more columns that only the code for joining
 * needs. Responses must not contain these two columns. The calling code checks whether the user sees the event.
 */
export const SELECT_EVENT_TO_JOIN = shortRead(
  'participation_event_to_join',
  `SELECT ${VIEWER_COLUMNS}, e.join_password_sealed, e.revision FROM events e ${VIEWER_JOINS} WHERE e.id = $2`,
);

/**
 * SQL: whether the person of participation `p` has a seat or may still get one. These people are notified if the event
 * does not take place, and are on the list for the door.
 */
export const IS_CONCERNED = `p.status IN (${VIEWER_STATES_SQL})`;

/**
 * Takes a seat in one statement, so that no lock is held during round trips. Returns no row if the event is full or its
 * revision is no longer $3. $6 is the status that the calling code has read; null means that there was no
 * participation. If the stored status is now different, the statement sets the status to NULL. This violates the
 * column's constraint, so the whole statement is rolled back. Without `FOR UPDATE`, the subquery would still see a
 * participation that was deleted while the statement waited for the event's lock. The statement runs without BEGIN, so
 * it sets the acting account itself. $1 event, $2 user, $4 now, $5 check-in code.
 */
export const TAKE_SEAT = statement(
  'participation_take_seat',
  `WITH seat AS (
     ${takeSeatOf('$1', '$3')}
   ), seated AS (
     INSERT INTO participations AS p (event_id, user_id, status, joined_at, check_in_code, created_at, updated_at, related_since, digest)
     SELECT $1, $2,
            CASE WHEN $6::text IS NULL OR EXISTS (SELECT FROM participations WHERE event_id = $1 AND user_id = $2 FOR UPDATE) THEN 'confirmed' END,
            $4, $5, $4, $4, $4, 'joined' FROM seat, (SELECT set_config('changes.by', $2::bigint::text, true)) by_caller
     ON CONFLICT (event_id, user_id) DO UPDATE SET
       status = CASE WHEN p.status = $6::text THEN 'confirmed' END, joined_at = $4, check_in_code = $5, updated_at = $4, digest = 'joined'
   ) SELECT confirmed_count FROM seat`,
);

export const COUNT_PENDING_INVITATIONS = statement(
  'participation_pending_invitations',
  `SELECT count(*)::int AS pending FROM participations WHERE event_id = $1 AND status = 'pending'`,
);

/** The confirmed participant of event $1 with check-in code $2. */
export const SELECT_USER_BY_CHECK_IN_CODE = statement(
  'participation_by_check_in_code',
  `SELECT user_id FROM participations WHERE event_id = $1 AND check_in_code = $2`,
);

/**
 * Returns no row if event $1 has no ticket $2. Otherwise returns the confirmed participant who joined with this ticket;
 * null if there is none.
 */
export const SELECT_USER_BY_TICKET_CODE = statement(
  'participation_by_ticket_code',
  `SELECT p.user_id FROM tickets t
     LEFT JOIN participations p ON p.event_id = t.event_id AND p.ticket_code = t.code
    WHERE t.event_id = $1 AND t.code = $2`,
);
