/** Raised before a group's row is deleted, and before it is locked: listeners release the group's events. */
export class GroupDeleted {
  constructor(readonly groupId: number) {}
}
