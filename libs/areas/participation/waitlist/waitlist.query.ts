import { statement } from '#platform/database/database';
import { GIVES_SEATS_TO_WAITLIST_SQL, hasRoomSql } from '../../events/event-relation';
import { mayJoinSql } from './may-join';
import { waitlistOrder } from './seat-columns';

/**
 * The seats of the events $1. Omits an event if its waitlist mode is `manual` and it has no offers. The calling code
 * has locked the events.
 */
export const SEATS_TO_SETTLE = statement(
  'participation_seats_to_settle',
  `SELECT e.id, e.status, e.starts_at, e.join_mode, e.ticket_price_credits, e.waitlist_mode, e.offer_hours, e.max_participants, e.confirmed_count, e.offers_count
     FROM events e WHERE e.id = ANY($1::bigint[]) AND (e.waitlist_mode <> 'manual' OR e.offers_count > 0) ORDER BY e.id`,
);

/**
 * The stored offers of event $1, and whether each person could still join. $2: the columns of the event that a change
 * will replace, as a JSON object; `{}` for the stored event.
 */
export const OFFERS_OF_EVENT = statement(
  'participation_offers_of_event',
  `SELECT p.user_id, p.offer_expires_at, ${mayJoinSql('u')} AS may_join
     FROM participations p JOIN users u ON u.id = p.user_id JOIN events stored ON stored.id = p.event_id
    CROSS JOIN LATERAL jsonb_populate_record(stored, $2::jsonb) e
    WHERE p.event_id = $1 AND p.status = 'waitlisted' AND p.offer_expires_at IS NOT NULL`,
);

/**
 * The people who get the next seats of event $1, at most $2 people (null: all), in the order of the waitlist. Selects
 * only waitlisted people who have no offer and may join.
 */
export const NEXT_IN_LINE = statement(
  'participation_next_in_line',
  `SELECT p.user_id FROM participations p JOIN users u ON u.id = p.user_id JOIN events e ON e.id = p.event_id
    WHERE p.event_id = $1 AND p.status = 'waitlisted' AND p.offer_expires_at IS NULL AND ${mayJoinSql('u')}
    ORDER BY ${waitlistOrder('p')} LIMIT $2`,
);

/** Stores the changed participations $2 (as JSON) of event $1. */
export const STORE_MOVED = statement(
  'participation_store_moved',
  `UPDATE participations p SET status = m.status, joined_at = m.joined_at, check_in_code = m.check_in_code, digest = m.digest,
          offer_expires_at = m.offer_expires_at, updated_at = m.updated_at
     FROM jsonb_to_recordset($2::jsonb) AS m (user_id bigint, status text, joined_at timestamptz, check_in_code text, digest text,
          offer_expires_at timestamptz, updated_at timestamptz)
    WHERE p.event_id = $1 AND p.user_id = m.user_id`,
);

/** Deletes the participations of the people $2, whose offers of event $1 have expired. */
export const END_ENTRIES = statement(
  'participation_end_entries',
  'DELETE FROM participations WHERE event_id = $1 AND user_id = ANY($2::bigint[])',
);

/** Sets the expiry of the offers that the people $2 have at event $1 to $3, the start of the event. */
export const SHORTEN_OFFERS = statement(
  'participation_shorten_offers',
  'UPDATE participations SET offer_expires_at = $3 WHERE event_id = $1 AND user_id = ANY($2::bigint[])',
);

/** Ends all offers of events $1; the people stay on the waitlist. */
export const WITHDRAW_OFFERS = statement(
  'participation_withdraw_offers',
  'UPDATE participations SET offer_expires_at = NULL WHERE event_id = ANY($1::bigint[]) AND offer_expires_at IS NOT NULL',
);

/**
 * Sets the account $1 as the author of the following changes of this transaction; if $1 is empty, these changes have no
 * author. Returns the author that was set before.
 */
export const SET_AUTHOR = statement(
  'participation_set_author',
  "SELECT coalesce(current_setting('changes.by', true), '') AS former, set_config('changes.by', $1, true)",
);

/**
 * At most $2 events that must be settled at $1: an offer must end, or a waitlisted person can get a free seat. An offer
 * must end if it has expired, if it cannot be accepted, or if the event no longer makes offers.
 */
export const EVENTS_WITH_SEATS_DUE = statement(
  'participation_events_with_seats_due',
  `SELECT due.id FROM (
     SELECT e.id FROM participations p JOIN events e ON e.id = p.event_id JOIN users u ON u.id = p.user_id
      WHERE p.offer_expires_at IS NOT NULL
        AND (p.offer_expires_at <= $1 OR e.starts_at <= $1 OR NOT ${GIVES_SEATS_TO_WAITLIST_SQL} OR e.max_participants IS NULL OR NOT ${mayJoinSql('u')})
     UNION
     SELECT e.id FROM events e
      WHERE e.waitlist_mode <> 'manual' AND e.status = 'active' AND e.starts_at > $1 AND ${GIVES_SEATS_TO_WAITLIST_SQL}
        AND ${hasRoomSql('e')}
        AND EXISTS (SELECT FROM participations p JOIN users u ON u.id = p.user_id
                     WHERE p.event_id = e.id AND p.status = 'waitlisted' AND p.offer_expires_at IS NULL AND ${mayJoinSql('u')})
   ) due ORDER BY due.id LIMIT $2`,
);

/** Locks, in the order of their ids, the events of organizer $1 in which the person with slug $2 has an offer. */
export const LOCK_EVENTS_WITH_OFFER = statement(
  'participation_lock_events_with_offer',
  `SELECT e.id FROM events e
    WHERE e.organizer_id = $1 AND e.id IN (
      SELECT p.event_id FROM participations p JOIN users u ON u.id = p.user_id WHERE u.slug = $2 AND p.offer_expires_at IS NOT NULL)
    ORDER BY e.id FOR NO KEY UPDATE OF e`,
);

export const COUNT_WAITLISTED = statement(
  'participation_count_waitlisted',
  `SELECT count(*)::int AS waitlisted FROM participations WHERE event_id = $1 AND status = 'waitlisted'`,
);
