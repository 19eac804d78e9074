import { LIMITS } from '#contract/limits';
import { statement } from '#platform/database/database';
import { isInvitableSql } from '../../identity/account-conditions.sql';
import { waitlistOrder } from '../waitlist/seat-columns';
import { PARTICIPANT_COLUMNS } from './participant.resource';

/**
 * Participants of event $1 with status $2 (null: any status), the oldest participation first. $3 limit, $4 offset. The
 * innermost query selects the participations of the requested page, and only these are joined with the table `users`.
 * The constant limit removes no row. It shows the maximum size of a page to the planner, which does not know $3
 * (docs/adr/0003-named-sql-and-entities.md). Without this limit, the planner may choose to read all users.
 */
export const SELECT_PARTICIPANTS = statement(
  'participation_participants',
  `SELECT ${PARTICIPANT_COLUMNS} FROM (
     SELECT * FROM (
       SELECT * FROM participations WHERE event_id = $1 AND ($2::text IS NULL OR status = $2) ORDER BY created_at, user_id LIMIT $3 OFFSET $4) found
      LIMIT ${LIMITS.pagination.per_page.max}) p
     JOIN users u ON u.id = p.user_id ORDER BY p.created_at, p.user_id`,
);

/**
 * Like `SELECT_PARTICIPANTS` for the waitlist of event $1: the person at position 1 comes first. $2 is always
 * `waitlisted`; the parameter exists because both statements are called with the same parameters. With the constant
 * 'waitlisted', PostgreSQL can use the partial index of waitlisted people.
 */
export const SELECT_WAITLIST = statement(
  'participation_waitlist',
  `SELECT ${PARTICIPANT_COLUMNS} FROM (
     SELECT * FROM (
       SELECT * FROM participations WHERE event_id = $1 AND status = 'waitlisted' AND status = $2 ORDER BY ${waitlistOrder('participations')} LIMIT $3 OFFSET $4) found
      LIMIT ${LIMITS.pagination.per_page.max}) p
     JOIN users u ON u.id = p.user_id ORDER BY ${waitlistOrder('p')}`,
);

/** Everybody with a relation to event $1, except declined people, sorted by slug. */
export const ALL_PARTICIPANTS = statement(
  'participation_participants_all',
  `SELECT ${PARTICIPANT_COLUMNS} FROM participations p JOIN users u ON u.id = p.user_id
    WHERE p.event_id = $1 AND p.status <> 'declined' ORDER BY u.slug`,
);

export const COUNT_PARTICIPANTS = statement(
  'participation_participants_total',
  'SELECT count(*)::int AS total FROM participations p WHERE p.event_id = $1 AND ($2::text IS NULL OR p.status = $2)',
);

export const SELECT_PARTICIPANT = statement(
  'participation_participant',
  `SELECT ${PARTICIPANT_COLUMNS} FROM participations p JOIN users u ON u.id = p.user_id WHERE p.event_id = $1 AND p.user_id = $2`,
);

/** Participations of several users. The nth item of $1 is an event, and the nth item of $2 is a user of this event. */
export const SELECT_PARTICIPANTS_NAMED = statement(
  'participation_participants_named',
  `SELECT p.event_id, p.user_id, ${PARTICIPANT_COLUMNS} FROM unnest($1::bigint[], $2::bigint[]) AS named (event_id, user_id)
     JOIN participations p ON p.event_id = named.event_id AND p.user_id = named.user_id
     JOIN users u ON u.id = p.user_id`,
);

/** The person with slug $1, if organizer $2 may invite that person (JOIN-27). */
export const SELECT_INVITEE = statement(
  'participation_invitee',
  `SELECT u.id FROM users u
    WHERE u.slug = $1 AND ${isInvitableSql('$2')}`,
);

/**
 * The person with slug $2, for an action of the organizer of event $1. A deleted account is found only if it has a
 * participation (of any status) in this event.
 */
export const SELECT_PERSON = statement(
  'participation_person',
  `SELECT u.id FROM users u
    WHERE u.slug = $2 AND (NOT u.gone OR EXISTS (SELECT FROM participations p WHERE p.event_id = $1 AND p.user_id = u.id))`,
);

/** The status in event $1 of each person whose slug is in $2. People without a relation to the event are omitted. */
export const STATES_AMONG = statement(
  'participation_states_among',
  `SELECT u.slug, p.status FROM participations p JOIN users u ON u.id = p.user_id
    WHERE p.event_id = $1 AND u.slug = ANY($2::text[])`,
);

/**
 * The people with the slugs $2 who paid credits for event $1 and are checked in. Their check-in has paid the credits to
 * the organizer, so it cannot be undone (JOIN-35).
 */
export const PAID_AND_CHECKED_IN = statement(
  'participation_paid_and_checked_in',
  `SELECT u.slug FROM participations p JOIN users u ON u.id = p.user_id
    WHERE p.event_id = $1 AND p.checked_in_at IS NOT NULL AND p.credit_hold_id IS NOT NULL AND u.slug = ANY($2::text[])`,
);

/**
 * The positions, from 1, of the people with the slugs $2 on the waitlist of event $1. A person whose offer has expired
 * by the time $3 has no position.
 */
export const WAITLIST_POSITIONS = statement(
  'participation_waitlist_positions',
  `SELECT slug, place FROM (
     SELECT u.slug, row_number() OVER (ORDER BY ${waitlistOrder('p')})::int AS place
       FROM participations p JOIN users u ON u.id = p.user_id
      WHERE p.event_id = $1 AND p.status = 'waitlisted' AND (p.offer_expires_at IS NULL OR p.offer_expires_at > $3)) waiting
    WHERE slug = ANY($2::text[])`,
);
