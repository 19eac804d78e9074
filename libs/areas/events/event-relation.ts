import {
  PRIVATE_EVENT_VIEWER_STATES,
  WAITLIST_JOIN_MODES,
  type EventStatus,
  type JoinMode,
  type ParticipationState,
  type WaitlistMode,
} from '#contract/vocabulary';

/*
 * The rules about a person's relation to an event, and about the event's state. A rule that SQL statements also need is
 * implemented once in TypeScript and once in SQL. test/events/relation.spec.ts compares the results of both on
 * PostgreSQL for all combinations. Other areas import the rules from this file. EventAccessPolicy throws the refusals
 * that follow from `visibilityOf`. The view `events` omits events that are hidden from everyone: removed events, events
 * of removed series, and, while they are active and not over, events of banned organizers
 * (docs/adr/0021-out-of-sight.md). A new state of an event or of its organizer must be added to the rules that depend
 * on this state, in TypeScript and in SQL.
 */

/** The columns of an event that the rules read; all of them are in EVENT_COLUMNS. */
export interface EventFacts {
  readonly organizer_id: string | number;
  readonly is_public: boolean;
  readonly status: EventStatus;
  readonly over_at: Date;
  readonly confirmed_count: number;
  readonly max_participants: number | null;
  /** The number of stored offers of seats, including offers that have just expired. */
  readonly offers_count: number;
}

/** The columns that `givesSeatsToWaitlist` and `waitlistModeOf` read. */
export interface WaitlistFacts extends Pick<EventFacts, 'status' | 'max_participants'> {
  readonly join_mode: JoinMode;
  readonly ticket_price_credits: number;
  readonly waitlist_mode: WaitlistMode;
}

/** A person and the person's participation in an event. The participation is null if there is none. */
export interface PersonAtEvent {
  readonly userId: number;
  readonly participation: ParticipationState | null;
}

type Ownership = Pick<EventFacts, 'organizer_id'>;
type Visibility = Pick<EventFacts, 'organizer_id' | 'is_public'>;

/**
 * The visibility of an event to a person. `seen`: the whole event; `banned`: 403 `banned`; `hidden`: 404, as for an id
 * that does not exist.
 */
export type EventVisibility = 'seen' | 'banned' | 'hidden';

/** The states in which a person sees a private event (EVT-23). `null` (no participation) is not one of them. */
export const VIEWER_STATES: ReadonlySet<ParticipationState | null> = new Set(PRIVATE_EVENT_VIEWER_STATES);

export function isOrganizer(event: Ownership, { userId }: Pick<PersonAtEvent, 'userId'>): boolean {
  return Number(event.organizer_id) === userId;
}

/** EVT-23, EVT-24: the visibility of an event to a person. */
export function visibilityOf(event: Visibility, person: PersonAtEvent): EventVisibility {
  if (isOrganizer(event, person) || VIEWER_STATES.has(person.participation)) return 'seen';
  if (!event.is_public) return 'hidden';
  return person.participation === 'banned' ? 'banned' : 'seen';
}

/**
 * True for the organizer and for confirmed participants. Only these people may comment, add photos, share expenses and
 * write posts about the event.
 */
export function takesPart(event: Ownership, person: PersonAtEvent): boolean {
  return isOrganizer(event, person) || person.participation === 'confirmed';
}

/**
 * Whether the event is private and the person has no relation to it and is not its organizer. Such a person cannot join
 * the event or its waitlist, and a request of this person to leave is answered with 404.
 */
export function isUnrelatedToPrivateEvent(event: Visibility, person: PersonAtEvent): boolean {
  return !event.is_public && person.participation === null && !isOrganizer(event, person);
}

/** Whether the event is cancelled or has ended, and therefore accepts no more participants. */
export function isClosed(event: Pick<EventFacts, 'status' | 'over_at'>, now: Date): boolean {
  return event.status !== 'active' || event.over_at <= now;
}

/** The number of participants, including the organizer, who has a seat (EVT-15). */
export function participantsOf({ confirmed_count }: Pick<EventFacts, 'confirmed_count'>): number {
  return confirmed_count + 1;
}

/** Whether no seat is free. A stored offer also occupies a seat, even if the offer has just expired. */
export function isFull(event: Pick<EventFacts, 'max_participants' | 'confirmed_count' | 'offers_count'>): boolean {
  return event.max_participants !== null && participantsOf(event) + event.offers_count >= event.max_participants;
}

const WAITLIST_JOINS: ReadonlySet<JoinMode> = new Set(WAITLIST_JOIN_MODES);

/**
 * JOIN-54: whether the service gives free seats to the waitlist. The limit of seats is not checked, because people on
 * the waitlist also get seats after the limit was removed.
 */
export function givesSeatsToWaitlist(event: Omit<WaitlistFacts, 'max_participants'>): boolean {
  return (
    event.waitlist_mode !== 'manual' &&
    event.status === 'active' &&
    WAITLIST_JOINS.has(event.join_mode) &&
    event.ticket_price_credits === 0
  );
}

/** JOIN-53: the effective waitlist mode. It does not depend on the status of the event. */
export function waitlistModeOf(event: WaitlistFacts): WaitlistMode {
  const hasEffect = event.max_participants !== null && givesSeatsToWaitlist({ ...event, status: 'active' });
  return hasEffect ? event.waitlist_mode : 'manual';
}

/**
 * Whether searches may list an event of the view `events`. This rule does not check whether the event is over, because
 * searches check this separately. The view `listable_events` contains the same rule
 * (libs/areas/discover/sql/views.sql).
 */
export function isListable({ is_public, status }: Pick<EventFacts, 'is_public' | 'status'>): boolean {
  return is_public && status === 'active';
}

/** SQL: `VIEWER_STATES` as the list of an `IN` condition. */
export const VIEWER_STATES_SQL = PRIVATE_EVENT_VIEWER_STATES.map((state) => `'${state}'`).join(', ');

/**
 * SQL of `visibilityOf(…) = 'seen'` for an event `e`. The viewer is a placeholder; `me` is the viewer's left-joined
 * participation.
 */
export function seesEventSql(viewer: string): string {
  return `(e.organizer_id = ${viewer} OR (e.is_public AND me.status IS DISTINCT FROM 'banned') OR coalesce(me.status IN (${VIEWER_STATES_SQL}), false))`;
}

/** SQL of `visibilityOf(…) = 'seen'` for an event `e` and a person without a relation to the event. */
export const STRANGER_SEES_SQL = 'e.is_public';

/** SQL of `isClosed` for an event `e`; `now` is a placeholder. */
export function isClosedSql(now: string): string {
  return `(e.status <> 'active' OR e.over_at <= ${now})`;
}

/** SQL of `!isClosed`, in the form that the indexes support. */
export function isOpenSql(now: string): string {
  return `e.status = 'active' AND e.over_at > ${now}`;
}

/** SQL of `!isFull`; `event` is the name or the alias of `events` in the statement. */
export function hasRoomSql(event: string): string {
  return `(${event}.max_participants IS NULL OR ${event}.confirmed_count + 1 + ${event}.offers_count < ${event}.max_participants)`;
}

const WAITLIST_JOINS_SQL = WAITLIST_JOIN_MODES.map((mode) => `'${mode}'`).join(', ');

/** SQL of `givesSeatsToWaitlist` for an event `e`. */
export const GIVES_SEATS_TO_WAITLIST_SQL = `(e.waitlist_mode <> 'manual' AND e.status = 'active' AND e.join_mode IN (${WAITLIST_JOINS_SQL}) AND e.ticket_price_credits = 0)`;

/** SQL of `waitlistModeOf(…) = 'manual'` for an event `e`. */
export const HAS_MANUAL_WAITLIST_SQL = `(e.waitlist_mode = 'manual' OR e.max_participants IS NULL OR e.join_mode NOT IN (${WAITLIST_JOINS_SQL}) OR e.ticket_price_credits > 0)`;
