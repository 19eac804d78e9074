import type { GroupRole } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { personOf, PersonResource, personResource, type PersonRow } from '../../identity/person.resource';

/** A membership, invitation or request with its user: columns of GROUP_MEMBERS. */
export interface MemberRow extends PersonRow<'user'> {
  role: GroupRole;
  joined_at: Date | null;
  created_at: Date;
}

/** A person in a group, invited to it, or asking to join (GRP-12). */
export class MemberResource {
  /** the person */
  user: PersonResource;
  /** `owner`, `member`, `invited` (has not answered yet) or `requested` (waits for the owner) */
  role: GroupRole;
  /** when the person became a member; null for invited people and people who asked to join */
  joined_at: string | null;
  /** when the person was invited, asked to join or founded the group */
  created_at: string;
}

export function memberResource(row: MemberRow, wire: WireFormat): MemberResource {
  return {
    user: personResource(personOf(row, 'user'), wire),
    role: row.role,
    joined_at: toWire(row.joined_at),
    created_at: toWire(row.created_at),
  };
}
