import type { RefusalCode } from '#contract/refusals';
import type { GroupRole } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';

/** The roles, and `none` for a user without a relation to the group. */
export const MEMBERSHIP_STATES = ['none', 'requested', 'invited', 'member', 'owner'] as const satisfies readonly (
  GroupRole | 'none'
)[];
export type MembershipState = (typeof MEMBERSHIP_STATES)[number];

/**
 * The actions that change a membership, here called triggers. The first two are actions of the user, the others are
 * actions of the group's owner.
 */
export const MEMBERSHIP_TRIGGERS = ['join', 'leave', 'invite', 'approve', 'remove'] as const;
export type MembershipTrigger = (typeof MEMBERSHIP_TRIGGERS)[number];

/** A cell of the transition table: the new role, or a refusal. */
export type Cell = { readonly to: Exclude<MembershipState, 'owner'> } | { readonly refuse: RefusalCode };

/**
 * The transition table of memberships (GRP-10, GRP-11, GRP-13, GRP-15). The table does not distinguish public and
 * private groups. People without a relation can ask to join a private group only on the page of its invite link.
 */
export const MEMBERSHIP = {
  join: {
    none: { to: 'requested' },
    requested: { refuse: 'has_pending_request' },
    invited: { to: 'member' },
    member: { refuse: 'already_related' },
    owner: { refuse: 'already_related' },
  },
  leave: {
    none: { refuse: 'not_related' },
    requested: { to: 'none' },
    invited: { to: 'none' },
    member: { to: 'none' },
    owner: { refuse: 'owner_cannot_leave' },
  },
  invite: {
    none: { to: 'invited' },
    requested: { refuse: 'has_pending_request' },
    invited: { refuse: 'already_related' },
    member: { refuse: 'already_related' },
    owner: { refuse: 'invalid_invitee' },
  },
  approve: {
    none: { refuse: 'not_requested' },
    requested: { to: 'member' },
    invited: { refuse: 'not_requested' },
    member: { refuse: 'not_requested' },
    owner: { refuse: 'not_requested' },
  },
  remove: {
    none: { refuse: 'not_related' },
    requested: { to: 'none' },
    invited: { to: 'none' },
    member: { to: 'none' },
    owner: { refuse: 'cannot_remove_owner' },
  },
} as const satisfies Record<MembershipTrigger, Record<MembershipState, Cell>>;

/**
 * Returns the role after the trigger, or null for no relation. Throws the refusal if the table refuses the trigger for
 * this role.
 */
export function roleAfter(trigger: MembershipTrigger, role: GroupRole | null): Exclude<GroupRole, 'owner'> | null {
  const cell: Cell = MEMBERSHIP[trigger][role ?? 'none'];
  if ('refuse' in cell) throw new Refusal(cell.refuse);
  return cell.to === 'none' ? null : cell.to;
}

/** The codes of all refusals with which the table can answer the trigger, for any role. */
export function membershipCodes(trigger: MembershipTrigger): RefusalCode[] {
  const cells: readonly Cell[] = Object.values(MEMBERSHIP[trigger]);
  return [...new Set(cells.flatMap((cell) => ('refuse' in cell ? [cell.refuse] : [])))];
}
