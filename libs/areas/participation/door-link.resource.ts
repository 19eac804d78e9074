import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { DoorLinkRow } from './door/door-link.query';

/** A link with which a helper can check people in at an event (DOOR-18). */
export class DoorLinkResource {
  /** hashid */
  id: string;
  /** the name that the organizer has given the link */
  name: string;
  /** when the link ends: 12 hours after the current end of the event, but never after the year 9999 */
  expires_at: string;
  /** when the link was created */
  created_at: string;
  /** the last use, accurate to five minutes; null before the first use */
  last_used_at: string | null;
}

/** A door link with its secret, shown only once. */
export class DoorLinkWithSecretResource extends DoorLinkResource {
  /** the page on which a helper without an account checks people in; the secret follows `#` */
  url: string;
  /** a Bearer token for the event's `GET door` and `POST door/scans` */
  token: string;
}

export function doorLinkResource(row: DoorLinkRow, wire: WireFormat): DoorLinkResource {
  return {
    id: wire.id('door_link', row.id),
    name: row.name,
    expires_at: toWire(row.expires_at),
    created_at: toWire(row.created_at),
    last_used_at: toWire(row.last_used_at),
  };
}

export function doorLinkWithSecretResource(
  row: DoorLinkRow,
  token: string,
  wire: WireFormat,
): DoorLinkWithSecretResource {
  return {
    ...doorLinkResource(row, wire),
    url: `${wire.page(`/door/${wire.id('event', row.event_id)}`)}#${token}`,
    token,
  };
}
