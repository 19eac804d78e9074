import type { Wire } from '#platform/http/wire';
import { toWire } from '#platform/time/wire-time';
import { PersonResource, personResource } from '../identity/person.resource';

/** A ticket with its user, if any. */
export interface TicketRow {
  code: string;
  used_at: Date | null;
  created_at: Date;
  name: string | null;
  nickname: string | null;
  slug: string | null;
  avatar_key: string | null;
}

/** A ticket code (api-spec, "Ticket code"). */
export class TicketResource {
  code: string;
  used: boolean;
  used_by: PersonResource | null;
  used_at: string | null;
  created_at: string;
}

export function ticketResource(row: TicketRow, wire: Wire): TicketResource {
  const { name, slug, nickname, avatar_key: avatarKey } = row;
  return {
    code: row.code,
    used: row.used_at !== null,
    used_by: name === null || slug === null ? null : personResource({ name, nickname, slug, avatarKey }, wire),
    used_at: toWire(row.used_at),
    created_at: toWire(row.created_at),
  };
}
