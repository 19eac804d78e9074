/** Raised before a group's row goes, and before it is locked: the listeners let go of the events that belong to it. */
export class GroupDeleted {
  constructor(readonly groupId: number) {}
}
