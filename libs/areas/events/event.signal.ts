import type { Event } from './event.entity';

/**
 * Raised before an event's row is deleted. Reactions notify the people concerned, delete the event's comments, remove
 * the event from its posts, and mark the files of its photos for deletion.
 */
export class EventDeleted {
  constructor(readonly eventId: number) {}
}

/** The kind of a cancellation: single events, or a series with all its upcoming occurrences. */
export type CancellationKind = 'event' | 'series';

/**
 * Raised when active events were cancelled. Also raised before the permanent deletion of an event that a moderator
 * removed, so that credits are refunded.
 */
export class EventsCancelled {
  constructor(
    readonly eventIds: readonly number[],
    readonly kind: CancellationKind,
  ) {}
}

/** When and where an event takes place. */
export interface TimeAndPlace {
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly locationName: string | null;
  readonly locationAddress: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/**
 * Raised when an active event gets another time or place through a change of this single event. A change of a series
 * raises `OccurrencesMoved` instead. `before`: time and place before the change; `startsAt`: the start after the
 * change. The event's row is locked.
 */
export class EventMoved {
  constructor(
    readonly eventId: number,
    readonly before: TimeAndPlace,
    readonly startsAt: Date,
  ) {}
}

/**
 * Raised when a change of a series moved upcoming occurrences to another place. `before`: time and place before the
 * change. The rows of the occurrences are locked.
 */
export class OccurrencesMoved {
  constructor(readonly moved: readonly { readonly eventId: number; readonly before: TimeAndPlace }[]) {}
}

/**
 * Raised in a transaction that has locked the events. The transaction raises this signal before it reads numbers of
 * seats, and after a write that may have freed seats. The reaction ends expired offers and gives free seats to people
 * on the waitlist.
 */
export class SeatsToSettle {
  constructor(readonly eventIds: readonly number[]) {}
}

/**
 * Raised before a change of a locked event is stored, if the event would then have fewer seats than are taken and
 * offered (JOIN-61). `event`: the event after the change; `cancels`: the same transaction will also cancel the event.
 * The reaction ends the offers that have expired or that the changed event no longer allows. It gives no seats to the
 * waitlist.
 */
export class OffersToEnd {
  constructor(
    readonly event: Event,
    readonly cancels: boolean,
  ) {}
}

/** Raised when an event was created for a group. The reaction invites the group's members. */
export class GroupEventCreated {
  constructor(
    readonly eventId: number,
    readonly groupId: number,
    readonly organizerId: number,
  ) {}
}
