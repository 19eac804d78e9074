/** Raised before an event's row goes; the listeners let go of what hangs on it and has files or money. */
export class EventDeleted {
  constructor(readonly eventId: number) {}
}

/** Raised when active events became cancelled: one by its organizer, or all upcoming ones of a series. */
export class EventsCancelled {
  constructor(readonly eventIds: readonly number[]) {}
}

/** Raised when an event was created for a group: its members are to be invited. */
export class GroupEventCreated {
  constructor(
    readonly eventId: number,
    readonly groupId: number,
    readonly organizerId: number,
  ) {}
}
