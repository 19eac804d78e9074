import { statement } from '#platform/database/database';
import { takeSeatOf } from '../../events/event-seats';
import { VIEWER_COLUMNS, VIEWER_JOINS } from '../event-for-viewer.resource';

/** The event $2 as user $1 stands before it, with what judging a join needs and no answer shows. */
export const ARRIVAL = statement(
  'participation_arrival',
  `SELECT ${VIEWER_COLUMNS}, e.join_password_sealed, e.revision FROM events e ${VIEWER_JOINS} WHERE e.id = $2`,
);

/** Those to whom it matters whether the event takes place, of participations `p`. */
export const CONCERNED = `p.status IN ('confirmed', 'pending', 'waitlisted', 'requested')`;

/**
 * Takes a seat in one statement, without a lock held over round trips. No row: the event is full, or its terms are no longer
 * those that were judged (revision $3). A participation that is no longer in the state judged ($6; null for none) makes a NULL
 * status, which the column refuses, and all is as before.
 * $1 event, $2 user, $4 now, $5 check-in code.
 */
export const TAKE_SEAT = statement(
  'participation_take_seat',
  `WITH seat AS (
     ${takeSeatOf('$1', '$3')}
   ), seated AS (
     INSERT INTO participations AS p (event_id, user_id, status, joined_at, check_in_code, created_at, updated_at)
     SELECT $1, $2, 'confirmed', $4, $5, $4, $4 FROM seat
     ON CONFLICT (event_id, user_id) DO UPDATE SET
       status = CASE WHEN p.status = $6::text THEN 'confirmed' END, joined_at = $4, check_in_code = $5, updated_at = $4
   )
   SELECT confirmed_count FROM seat`,
);

/** Puts user $2 of event $1 into state $3. $4 now, $5 check-in code, $6 ticket code: both for confirmed only. */
export const PUT = statement(
  'participation_put',
  `INSERT INTO participations AS p
     (event_id, user_id, status, invited_at, requested_at, joined_at, check_in_code, ticket_code, created_at, updated_at)
   VALUES ($1, $2, $3,
     CASE WHEN $3 = 'pending' THEN $4::timestamptz END,
     CASE WHEN $3 = 'requested' THEN $4::timestamptz END,
     CASE WHEN $3 = 'confirmed' THEN $4::timestamptz END,
     $5, $6, $4, $4)
   ON CONFLICT (event_id, user_id) DO UPDATE SET
     status = EXCLUDED.status,
     invited_at = coalesce(EXCLUDED.invited_at, p.invited_at),
     requested_at = coalesce(EXCLUDED.requested_at, p.requested_at),
     joined_at = EXCLUDED.joined_at, check_in_code = EXCLUDED.check_in_code, ticket_code = EXCLUDED.ticket_code,
     checked_in_at = NULL, credit_hold_id = NULL, updated_at = $4`,
);

export const DELETE = statement('participation_delete', 'DELETE FROM participations WHERE event_id = $1 AND user_id = $2');

/** What moving one participation needs to know of it. */
export const OF_USER_IN_EVENT = statement(
  'participation_of_user_in_event',
  'SELECT status, checked_in_at, credit_hold_id FROM participations WHERE event_id = $1 AND user_id = $2',
);

export interface ParticipationRow {
  status: string;
  checked_in_at: Date | null;
  credit_hold_id: string | null;
}

export const PENDING_INVITATIONS = statement(
  'participation_pending_invitations',
  `SELECT count(*)::int AS pending FROM participations WHERE event_id = $1 AND status = 'pending'`,
);

export const CHECK_IN = statement(
  'participation_check_in',
  'UPDATE participations SET checked_in_at = $3, updated_at = coalesce($3, updated_at) WHERE event_id = $1 AND user_id = $2',
);

/** The confirmed participant of event $1 to whom a code belongs. */
export const BY_CHECK_IN_CODE = statement(
  'participation_by_check_in_code',
  `SELECT user_id FROM participations WHERE event_id = $1 AND check_in_code = $2`,
);

/** Whether event $1 has ticket $2, and who of its confirmed participants joined with it. */
export const BY_TICKET_CODE = statement(
  'participation_by_ticket_code',
  `SELECT p.user_id FROM tickets t
     LEFT JOIN participations p ON p.event_id = t.event_id AND p.ticket_code = t.code
    WHERE t.event_id = $1 AND t.code = $2`,
);
