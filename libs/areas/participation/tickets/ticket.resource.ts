import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { personOf, PersonResource, personResource, type PersonRow } from '../../identity/person.resource';

/**
 * A ticket. The columns `user_…` describe the person who joined with the ticket's code; `user_slug` is null if there
 * is no such person.
 */
export type TicketRow = {
  code: string;
  used_at: Date | null;
  created_at: Date;
} & (PersonRow<'user'> | { user_slug: null });

/** A ticket code (JOIN-39). */
export class TicketResource {
  /** valid for one person; letter case, spaces and hyphens are ignored */
  code: string;
  /** whether a person joined with the code; the code stays used after that person leaves */
  used: boolean;
  /** the person who joined with the code; null if the code is unused */
  used_by: PersonResource | null;
  /** when a person joined with the code; null if the code is unused */
  used_at: string | null;
  /** when the code was created */
  created_at: string;
}

export function ticketResource(row: TicketRow, wire: WireFormat): TicketResource {
  return {
    code: row.code,
    used: row.used_at !== null,
    used_by: row.user_slug === null ? null : personResource(personOf(row, 'user'), wire),
    used_at: toWire(row.used_at),
    created_at: toWire(row.created_at),
  };
}
