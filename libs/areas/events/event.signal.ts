/** Raised before an event's row goes; the listeners tell whom it concerns, and let go of what hangs on it and has files. */
export class EventDeleted {
  constructor(readonly eventId: number) {}
}

/** What was cancelled: events one by one, or a series with all its upcoming ones, be it only one. */
export type Cancelled = 'event' | 'series';

/** Raised when active events became cancelled. */
export class EventsCancelled {
  constructor(
    readonly eventIds: readonly number[],
    readonly what: Cancelled,
  ) {}
}

/** Raised when an event was created for a group: its members are to be invited. */
export class GroupEventCreated {
  constructor(
    readonly eventId: number,
    readonly groupId: number,
    readonly organizerId: number,
  ) {}
}
