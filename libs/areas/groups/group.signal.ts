import type { GroupRole } from '#contract/vocabulary';
import type { MembershipTrigger } from './members/membership.transitions';

/**
 * Raised when a membership was changed by the person concerned or by the group's owner; `role` is the role afterwards.
 */
export class MembershipChanged {
  constructor(
    readonly groupId: number,
    readonly userId: number,
    readonly trigger: MembershipTrigger,
    readonly role: GroupRole | null,
  ) {}
}

/** Raised before a group's row is locked and deleted, so that other areas can release the group's events. */
export class GroupDeleted {
  constructor(readonly groupId: number) {}
}
