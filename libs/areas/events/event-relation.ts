import { PRIVATE_EVENT_VIEWERS, type EventStatus, type ParticipationState } from '#contract/vocabulary';

/*
 * What an event is to a person, and how it stands: each rule once in TypeScript and once as SQL. test/events/relation.spec.ts holds
 * the two against each other on PostgreSQL, over every combination. Other areas import from here; who must be refused asks
 * EventAccessPolicy. What nobody sees, removed or of somebody banned, is not in the view `events` at all (migration 0185). A new state of an event (or of its organizer) is a line in the rules it changes, in both languages.
 */

/** The columns of an event that the rules read; every row of EVENT_COLUMNS has them. */
export interface EventFacts {
  readonly organizer_id: string | number;
  readonly is_public: boolean;
  readonly status: EventStatus;
  readonly over_at: Date;
  readonly confirmed_count: number;
  readonly max_participants: number | null;
}

/** Somebody's participation in an event; no relation is null. */
export interface PersonAtEvent {
  readonly userId: number;
  readonly participation: ParticipationState | null;
}

type Ownership = Pick<EventFacts, 'organizer_id'>;
type Visibility = Pick<EventFacts, 'organizer_id' | 'is_public'>;

/** What a person gets of an event: all of it, 403 `banned`, or 404 as for an id that does not exist. */
export type Sight = 'seen' | 'banned' | 'hidden';

const SEES_PRIVATE: ReadonlySet<ParticipationState | null> = new Set(PRIVATE_EVENT_VIEWERS);

export function isOrganizer(event: Ownership, { userId }: Pick<PersonAtEvent, 'userId'>): boolean {
  return Number(event.organizer_id) === userId;
}

/** EVT-23, EVT-24: who sees an event. */
export function sightOf(event: Visibility, person: PersonAtEvent): Sight {
  if (isOrganizer(event, person) || SEES_PRIVATE.has(person.participation)) return 'seen';
  if (!event.is_public) return 'hidden';
  return person.participation === 'banned' ? 'banned' : 'seen';
}

/** The organizer and the confirmed: they comment, add photos, share expenses and write about it. */
export function takesPart(event: Ownership, person: PersonAtEvent): boolean {
  return isOrganizer(event, person) || person.participation === 'confirmed';
}

/** Somebody to whom a private event is nothing, and who is told nothing of it. */
export function isStrangerToPrivate(event: Visibility, person: PersonAtEvent): boolean {
  return !event.is_public && person.participation === null && !isOrganizer(event, person);
}

/** Cancelled or over: nobody comes to it any more. */
export function isClosed(event: Pick<EventFacts, 'status' | 'over_at'>, now: Date): boolean {
  return event.status !== 'active' || event.over_at <= now;
}

/** How many take part: the organizer has a seat (EVT-15). */
export function participantsOf({ confirmed_count }: Pick<EventFacts, 'confirmed_count'>): number {
  return confirmed_count + 1;
}

export function isFull(event: Pick<EventFacts, 'max_participants' | 'confirmed_count'>): boolean {
  return event.max_participants !== null && participantsOf(event) >= event.max_participants;
}

/** Shown to those who look for events: the rule behind the view `listable_events` (migration 0040). */
export function isListable({ is_public, status }: Pick<EventFacts, 'is_public' | 'status'>): boolean {
  return is_public && status === 'active';
}

const PRIVATE_VIEWERS = PRIVATE_EVENT_VIEWERS.map((state) => `'${state}'`).join(', ');

/** SQL of `sightOf(…) = 'seen'`, of an event `e`, the viewer's participation `me` (joined to the left) and the viewer, a placeholder. */
export function seesEventSql(viewer: string): string {
  return `(e.organizer_id = ${viewer} OR (e.is_public AND me.status IS DISTINCT FROM 'banned') OR coalesce(me.status IN (${PRIVATE_VIEWERS}), false))`;
}

/** SQL of `sightOf(…) = 'seen'` for somebody who is nothing to an event `e`: what is shown to everybody. */
export const STRANGER_SEES_SQL = 'e.is_public';

/** SQL of `isClosed`, of an event `e`; `now` is a placeholder. */
export function isClosedSql(now: string): string {
  return `(e.status <> 'active' OR e.over_at <= ${now})`;
}

/** SQL of `!isClosed`, in the form that indexes are made for. */
export function isOpenSql(now: string): string {
  return `e.status = 'active' AND e.over_at > ${now}`;
}

/** SQL of `!isFull`, of the columns of `events` as the statement names them. */
export const HAS_ROOM_SQL = '(max_participants IS NULL OR confirmed_count + 1 < max_participants)';

/** SQL: whether the organizer of an event `e` blocks the viewer, a placeholder. */
export function isBlockedSql(viewer: string): string {
  return `EXISTS (SELECT 1 FROM user_blocks b WHERE b.blocker_id = e.organizer_id AND b.blocked_id = ${viewer})`;
}

/** SQL: the organizers whose events Discover does not show the viewer, a placeholder: who blocks them, and themselves. */
export function organizersNotListedSql(viewer: string): string {
  return `SELECT blocker_id FROM user_blocks WHERE blocked_id = ${viewer} UNION ALL SELECT ${viewer}::bigint`;
}

/** SQL: the events from which the viewer, a placeholder, is banned. */
export function eventsBannedFromSql(viewer: string): string {
  return `SELECT event_id FROM participations WHERE user_id = ${viewer} AND status = 'banned'`;
}
