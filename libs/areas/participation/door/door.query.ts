import type { DoorMark, ParticipationState } from '#contract/vocabulary';
import { statement } from '#platform/database/database';
import { personColumns, type PersonRow } from '../../identity/person.resource';
import { IS_CONCERNED } from '../record/participation.query';

/** Stores $2 as the key with which the codes of event $1 are hashed (DOOR-4). The API calls this key `pack`. */
export const ADD_HASH_KEY = statement(
  'door_add_pack',
  'INSERT INTO door_packs (event_id, pack) VALUES ($1, $2) ON CONFLICT (event_id) DO NOTHING',
);
/** The title of event $1, and its hash key, which is null before the first request for the key. */
export const TITLE_AND_HASH_KEY = statement(
  'door_pack',
  'SELECT e.title, k.pack FROM events e LEFT JOIN door_packs k ON k.event_id = e.id WHERE e.id = $1',
);

/** A person who has a participation in the event, with the columns that check-in needs. */
export interface GuestRow extends PersonRow<'user'> {
  readonly user_id: string;
  readonly status: ParticipationState;
  readonly check_in_code: string | null;
  readonly ticket_code: string | null;
  readonly checked_in_at: Date | null;
  readonly checked_in_by: string | null;
  readonly credit_hold_id: string | null;
}

const GUESTS = `SELECT p.user_id, p.status, p.check_in_code, p.ticket_code, p.checked_in_at, p.checked_in_by, p.credit_hold_id, ${personColumns('u', 'user')}
  FROM participations p JOIN users u ON u.id = p.user_id WHERE p.event_id = $1`;

/**
 * The people of event $1 who are confirmed, invited or waitlisted, or have asked to join, the oldest participation
 * first.
 */
export const EXPECTED_GUESTS = statement(
  'door_expected',
  `${GUESTS} AND ${IS_CONCERNED} ORDER BY p.created_at, p.user_id`,
);

/**
 * People of event $1 with one of the codes $2 or one of the slugs $3. A code is a check-in code, or the ticket code
 * that the person joined with.
 */
export const NAMED_GUESTS = statement(
  'door_named',
  `${GUESTS} AND (p.check_in_code = ANY($2::text[]) OR p.ticket_code = ANY($2::text[]) OR u.slug = ANY($3::text[]))`,
);

/** Returns the codes among $2 that belong to tickets of event $1. */
export const TICKETS_AMONG = statement(
  'door_tickets_among',
  'SELECT code FROM tickets WHERE event_id = $1 AND code = ANY($2::text[])',
);

export interface MarkRow {
  readonly user_id: string;
  readonly kind: DoorMark;
  /** Whole seconds since 1970. */
  readonly second: string;
  readonly ordinal: string;
  /** The name of the door link that sent the mark; null for the organizer. */
  readonly link_name: string | null;
}

/** All marks of users $2 at event $1. */
export const SELECT_DOOR_MARKS = statement(
  'door_marks',
  'SELECT user_id, kind, second, ordinal, link_name FROM door_marks WHERE event_id = $1 AND user_id = ANY($2::bigint[])',
);

/**
 * Stores marks (`Mark` in attendance.ts) of event $1. For each mark: $2 user, $3 kind, $4 second, $5 name of the link.
 * The ordinals increase in the order of the parameters. If a mark of the same user, kind and second is already stored,
 * no row is added. Instead, the stored mark changes: a mark of the check-in endpoints gets a new ordinal, and a scan
 * gets the new `link_name`. A stored `undo`, which a device has sent, stays unchanged.
 */
export const ADD_MARKS = statement(
  'door_add_marks',
  `WITH new AS (
     SELECT m.* FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[]) WITH ORDINALITY AS m (user_id, kind, second, link_name, i)),
   renamed AS (
     UPDATE door_marks d SET link_name = new.link_name FROM new
      WHERE d.event_id = $1 AND d.user_id = new.user_id AND d.kind = new.kind AND d.second = new.second AND d.kind = 'scan')
   INSERT INTO door_marks (event_id, user_id, kind, second, link_name)
   SELECT $1, new.user_id, new.kind, new.second, new.link_name FROM new ORDER BY new.i
   ON CONFLICT (event_id, user_id, kind, second) DO UPDATE SET ordinal = DEFAULT WHERE door_marks.kind IN ('check_in', 'undo_check_in')`,
);

/**
 * Stores the times of arrival at event $1. For each guest: $2 user, $3 time of arrival or null, $4 name of the link
 * whose scan counts; null if the organizer's check-in or scan counts, or if there is no arrival. $5 is now.
 */
export const SET_CHECKED_IN = statement(
  'door_set_checked_in',
  `UPDATE participations p SET checked_in_at = c.checked_in_at, checked_in_by = c.checked_in_by, updated_at = $5
     FROM unnest($2::bigint[], $3::timestamptz[], $4::text[]) AS c (user_id, checked_in_at, checked_in_by)
    WHERE p.event_id = $1 AND p.user_id = c.user_id`,
);
