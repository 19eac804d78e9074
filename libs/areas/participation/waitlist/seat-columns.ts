import { GIVES_SEATS_TO_WAITLIST_SQL, hasRoomSql } from '../../events/event-relation';
import { mayJoinSql } from './may-join';

/** SQL: the sort key of the waitlist's row `row`. Rows from older releases have no `waitlist_number` and come first. */
export function waitlistKeySql(row: string): string {
  return `(coalesce(${row}.waitlist_number, 0), ${row}.created_at, ${row}.user_id)`;
}

/** The order of a waitlist, as in the index `participations_waitlist`. */
export function waitlistOrder(row: string): string {
  return `${row}.waitlist_number NULLS FIRST, ${row}.created_at, ${row}.user_id`;
}

/**
 * SQL: the end of the offer and the waitlist position of the viewer's participation `me` in event `e`. The position is
 * the number of rows of the waitlist up to and including `me`. The position also counts rows whose offer has expired;
 * `waitlistPosition` subtracts these rows. `offers_ahead` has the end times of the offers in the rows before `me`. It
 * is null if there is no such offer, or if `me` is not on the waitlist.
 */
export const WAITLIST_COLUMNS = `me.offer_expires_at,
  CASE WHEN me.status = 'waitlisted' THEN (SELECT count(*)::int FROM participations w
    WHERE w.event_id = e.id AND w.status = 'waitlisted' AND ${waitlistKeySql('w')} <= ${waitlistKeySql('me')}) END AS waitlist_position,
  CASE WHEN me.status = 'waitlisted' AND e.offers_count > 0 THEN (SELECT array_agg(w.offer_expires_at) FROM participations w
    WHERE w.event_id = e.id AND w.status = 'waitlisted' AND w.offer_expires_at IS NOT NULL AND ${waitlistKeySql('w')} < ${waitlistKeySql('me')}) END AS offers_ahead`;

/**
 * SQL: the value `next_in_line` of `SeatFacts`. This is the number of waitlisted people without an offer who could get
 * the free seats next. Counting stops at the number of seats, or at 1 if the number of seats is not limited. People are
 * counted only if the service gives the event's seats to the waitlist (`GIVES_SEATS_TO_WAITLIST_SQL`), and if a seat is
 * free or the event has offers, which may have expired. Otherwise the value is 0.
 */
export const SEAT_COLUMNS = `CASE WHEN ${GIVES_SEATS_TO_WAITLIST_SQL} AND (e.offers_count > 0 OR ${hasRoomSql('e')}) THEN
    (SELECT count(*)::int FROM (SELECT FROM participations w JOIN users wu ON wu.id = w.user_id
      WHERE w.event_id = e.id AND w.status = 'waitlisted' AND w.offer_expires_at IS NULL AND ${mayJoinSql('wu')}
      LIMIT coalesce(e.max_participants, 1)) next) ELSE 0 END AS next_in_line`;
