import type { GroupRole } from '#contract/vocabulary';
import type { MembershipTrigger } from './members/membership.transitions';

/**
 * Raised after a membership was changed by its user or by the group's owner. `role` is the user's role after the
 * change; null if the user has no relation to the group any more.
 */
export class MembershipChanged {
  constructor(
    readonly groupId: number,
    readonly userId: number,
    readonly trigger: MembershipTrigger,
    readonly role: GroupRole | null,
  ) {}
}

/** Raised before a group's row is locked and deleted, so that other areas can remove the group from its events. */
export class GroupDeleted {
  constructor(readonly groupId: number) {}
}
