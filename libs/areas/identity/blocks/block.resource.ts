import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { personOf, personResource, PersonResource } from '../person.resource';
import type { BlockRow } from './block.query';

/** A person whom the caller blocks (ACC-13). */
export class BlockResource {
  /** the blocked person */
  user: PersonResource;
  /** when the person was blocked */
  created_at: string;
}

export function blockResource(row: BlockRow, wire: WireFormat): BlockResource {
  return { user: personResource(personOf(row, 'user'), wire), created_at: toWire(row.created_at) };
}
