import { Injectable } from '@nestjs/common';
import type { EventScope, ParticipationState } from '#contract/vocabulary';
import { Database, type Queryable } from '#platform/database/database';
import type { Page, Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import {
  COMING_EVENTS,
  COMING_EVENTS_TOTAL,
  EVENT_FOR_VIEWER,
  EVENT_STATE_FOR_VIEWER,
  EVENTS_FOR_VIEWER,
  RELATED_EVENTS,
  RELATED_EVENTS_TOTAL,
} from './record/event-for-viewer.query';
import { isClosed, visibilityOf, type EventVisibility } from '../events/event-relation';
import { canLeave, canWait } from './joining/admission.rules';
import { seatsForOthers } from './waitlist/seats.rules';
import { discoverEventResource, type DiscoverEventResource, type ViewerEventRow } from './event-for-viewer.resource';

/** The columns of the statement EVENT_STATE_FOR_VIEWER that `ViewerEventRow` does not contain. */
interface EventStateColumns {
  readonly is_checked_in: boolean;
  readonly is_waitlist_full: boolean;
}

/** An event, and information that the event's web page shows but the API does not return. */
export interface EventState {
  readonly event: DiscoverEventResource;
  readonly isPublic: boolean;
  /** Whether the event's end has passed. A cancelled event, too, is over only after its end. */
  readonly isOver: boolean;
  /** Whether no seat is left for a person who has no offer. */
  readonly isFull: boolean;
  /** Whether the waitlist has its maximum number of people. */
  readonly isWaitlistFull: boolean;
  /** Whether POST waitlist can succeed. For POST join, `viewer.can_join` contains this information. */
  readonly canWait: boolean;
  /** Whether DELETE join can succeed. */
  readonly canLeave: boolean;
  /** Whether the caller is checked in. */
  readonly isCheckedIn: boolean;
}

/** The property by which the events are selected: group, series or organizer. */
export type EventsOf = keyof typeof COMING_EVENTS;

/** Reads events in the shape of Discover (DISC-3). */
@Injectable()
export class EventForViewerReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** Returns an event that the caller sees. Throws 403 `banned` or 404 for other events. */
  async show(database: Queryable, caller: Caller, eventId: number): Promise<DiscoverEventResource> {
    const [row] = await database.rows<ViewerEventRow>(EVENT_FOR_VIEWER, [caller.id, eventId]);
    return this.resource(requireSeen(row, caller), caller);
  }

  /** Like `show`, for several events. Omits events that the caller does not see. The keys are database ids. */
  async showByIds(
    database: Queryable,
    caller: Caller,
    eventIds: readonly number[],
  ): Promise<Map<number, DiscoverEventResource>> {
    const rows = await database.rows<ViewerEventRow>(EVENTS_FOR_VIEWER, [caller.id, eventIds]);
    return new Map(
      rows
        .filter((row) => visibilityFor(row, caller) === 'seen')
        .map((row) => [Number(row.id), this.resource(row, caller)]),
    );
  }

  /** Like `show`, with the event's state for the caller. */
  async stateFor(database: Queryable, caller: Caller, eventId: number): Promise<EventState> {
    const [found] = await database.rows<ViewerEventRow & EventStateColumns>(EVENT_STATE_FOR_VIEWER, [
      caller.id,
      eventId,
    ]);
    const row = requireSeen(found, caller);
    const now = this.clock.now();
    return {
      event: this.resource(row, caller),
      isPublic: row.is_public,
      isOver: isClosed({ status: 'active', over_at: row.over_at }, now),
      isFull: seatsForOthers(row, now) <= 0,
      isWaitlistFull: row.is_waitlist_full,
      canWait: !row.is_waitlist_full && canWait(row, caller, now),
      canLeave: canLeave(row, now),
      isCheckedIn: row.is_checked_in,
    };
  }

  /**
   * The current and upcoming events of a group, series or organizer, sorted by start. Omits cancelled events, and
   * events that the caller does not see.
   */
  async coming(caller: Caller, property: EventsOf, id: number, slice: Slice): Promise<Page<DiscoverEventResource>> {
    const listing = { list: COMING_EVENTS[property], total: COMING_EVENTS_TOTAL[property] };
    const events = await readPage<ViewerEventRow>(this.database, listing, [caller.id, id, this.clock.now()], slice);
    return events.map((row) => this.resource(row, caller));
  }

  /**
   * The events to which the caller has the relation `state`. Without a scope, the list contains past and future events,
   * and the event with the latest start comes first.
   */
  async related(
    caller: Caller,
    state: ParticipationState,
    scope: EventScope | undefined,
    slice: Slice,
  ): Promise<Page<DiscoverEventResource>> {
    const key = scope ?? 'any';
    const listing = { list: RELATED_EVENTS[key], total: RELATED_EVENTS_TOTAL[key] };
    const events = await readPage<ViewerEventRow>(this.database, listing, [caller.id, state, this.clock.now()], slice);
    return events.map((row) => this.resource(row, caller));
  }

  /** The resource of a row with VIEWER_COLUMNS. Other areas call this method for rows that they have read. */
  resource(row: ViewerEventRow, caller: Caller): DiscoverEventResource {
    return discoverEventResource(row, caller, this.clock.now(), this.wire);
  }
}

function visibilityFor(row: ViewerEventRow, caller: Caller): EventVisibility {
  return visibilityOf(row, { userId: caller.id, participation: row.participation });
}

/** Returns the row if its columns show that the caller sees the event. Throws otherwise. */
function requireSeen<Row extends ViewerEventRow>(row: Row | undefined, caller: Caller): Row {
  const visibility = row ? visibilityFor(row, caller) : 'hidden';
  if (!row || visibility === 'hidden') throw new Refusal('not_found');
  if (visibility === 'banned') throw new Refusal('banned');
  return row;
}
