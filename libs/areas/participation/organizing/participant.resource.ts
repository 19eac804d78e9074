import { mayRead } from '#contract/scopes';
import type { ParticipationState } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { Caller } from '../../identity/caller.reader';
import {
  personColumns,
  personOf,
  PersonResource,
  personResource,
  type PersonRow,
} from '../../identity/person.resource';

/** A row with the columns of PARTICIPANT_COLUMNS. */
export interface ParticipantRow extends PersonRow<'user'> {
  status: ParticipationState;
  checked_in_at: Date | null;
  checked_in_by: string | null;
  joined_at: Date | null;
  invited_at: Date | null;
  requested_at: Date | null;
  ticket_code: string | null;
  offer_expires_at: Date | null;
  created_at: Date;
}

export const PARTICIPANT_COLUMNS = `${personColumns('u', 'user')}, p.status, p.checked_in_at, p.checked_in_by, p.joined_at, p.invited_at,
  p.requested_at, p.ticket_code, p.offer_expires_at, p.created_at`;

/** A participant as shown to the organizer (JOIN-25). */
export class ParticipantResource {
  /** the person */
  user: PersonResource;
  /** `pending`: invited; `declined`: the request was declined */
  status: ParticipationState;
  /** when the person was checked in; null if not checked in */
  checked_in_at: string | null;
  /**
   * the name of the door link with which the person was checked in; null if the person is not checked in or was checked
   * in by the organizer
   */
  checked_in_by: string | null;
  /** when the person was confirmed; null if not confirmed */
  joined_at: string | null;
  /** when the person was invited; null if never invited */
  invited_at: string | null;
  /** when the person asked to join; null if the person never asked */
  requested_at: string | null;
  /**
   * the ticket code that the person joined with; null without a ticket, and for a token that has none of the scopes
   * `join`, `read` and `write`
   */
  ticket_code: string | null;
  /** until when a seat is held for the waitlisted person; null if there is no open offer */
  offer_expires_at: string | null;
  /** when the relation to the event began */
  created_at: string;
}

export function participantResource(
  row: ParticipantRow,
  caller: Caller,
  now: Date,
  wire: WireFormat,
): ParticipantResource {
  const offer = row.offer_expires_at;
  return {
    user: personResource(personOf(row, 'user'), wire),
    status: row.status,
    checked_in_at: toWire(row.checked_in_at),
    checked_in_by: row.checked_in_at === null ? null : row.checked_in_by,
    joined_at: toWire(row.joined_at),
    invited_at: toWire(row.invited_at),
    requested_at: toWire(row.requested_at),
    ticket_code: mayRead(caller.token.scopes, ['join']) ? row.ticket_code : null,
    offer_expires_at: offer !== null && offer > now ? toWire(offer) : null,
    created_at: toWire(row.created_at),
  };
}
