import type { GroupRole } from '#contract/vocabulary';
import type { MembershipTrigger } from './members/membership.transitions';

/** Raised when a membership moved by an act of its person or of the group's owner; `role` is the role afterwards. */
export class MembershipMoved {
  constructor(
    readonly groupId: number,
    readonly userId: number,
    readonly trigger: MembershipTrigger,
    readonly role: GroupRole | null,
  ) {}
}

/** Raised before a group's row goes, and before it is locked: the listeners let go of the events that belong to it. */
export class GroupDeleted {
  constructor(readonly groupId: number) {}
}
