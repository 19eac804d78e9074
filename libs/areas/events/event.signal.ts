/**
 * Raised before an event's row is deleted. Listeners notify the people concerned, and delete dependent rows that have
 * files.
 */
export class EventDeleted {
  constructor(readonly eventId: number) {}
}

/** What was cancelled: single events, or a series with all its upcoming occurrences (one or more). */
export type Cancelled = 'event' | 'series';

/** Raised when active events were cancelled. */
export class EventsCancelled {
  constructor(
    readonly eventIds: readonly number[],
    readonly what: Cancelled,
  ) {}
}

/** Raised when an event was created for a group, whose members will be invited. */
export class GroupEventCreated {
  constructor(
    readonly eventId: number,
    readonly groupId: number,
    readonly organizerId: number,
  ) {}
}
