import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import { mayRead } from '#contract/scopes';
import type { ViewerParticipation } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import {
  EVENT_COLUMNS,
  EVENT_FINGERPRINT_VALUES,
  EventResource,
  eventResource,
  OFFERS_UNTIL,
  visibleGroupSql,
} from '../events/event.resource';
import { isOrganizer } from '../events/event-relation';
import { blocksSql } from '../identity/account-conditions.sql';
import type { Caller } from '../identity/caller.reader';
import {
  personColumns,
  personFingerprintValues,
  personOf,
  PersonResource,
  personResource,
} from '../identity/person.resource';
import { toWire } from '#platform/time/wire-time';
import { canJoin } from './joining/admission.rules';
import { SEAT_COLUMNS, WAITLIST_COLUMNS } from './waitlist/seat-columns';
import { openOfferUntil, waitlistPosition } from './waitlist/seats.rules';
import type { JoinFacts, SharedEventRow, ViewerEventRow } from './record/viewer-event.row';

export type { JoinFacts, SharedEventRow, ViewerEventRow } from './record/viewer-event.row';

const { pending_requests_per_event, pending_requests_per_user } = LIMITS.participation;

/**
 * SQL: whether one more request would exceed the limit of the event or of the viewer; false for events without
 * join_mode=request. For the limit of the viewer, only requests that can still be answered count (JOIN-66). The
 * function `f_pending_requests` counts these requests. The function is called only if the viewer's requests for all
 * events reach the limit.
 */
const REQUESTS_FULL = `CASE WHEN e.join_mode = 'request' THEN
    ${requestsReach('r.event_id = e.id', pending_requests_per_event)} OR
    (${requestsReach('r.user_id = $1', pending_requests_per_user)} AND (SELECT f_pending_requests($1, ${pending_requests_per_user})) >= ${pending_requests_per_user})
  ELSE false END`;

/** SQL: whether at least `limit` requests to join (rows `r` of `participations`) meet the condition. */
function requestsReach(condition: string, limit: number): string {
  return `EXISTS (SELECT 1 FROM participations r WHERE ${condition} AND r.status = 'requested' OFFSET ${limit - 1})`;
}

/** The columns of event `e` and its organizer `o` that are the same for all viewers. */
export const SHARED_COLUMNS = `${EVENT_COLUMNS},
  ${personColumns('o', 'organizer')}`;

/**
 * SQL: a 64-bit number (as text) that changes whenever any of SHARED_COLUMNS changes, except `confirmed_count` and
 * `offers_count`. Two rows with the same id and fingerprint have the same JSON, except for the number of participants,
 * and for values that depend on the time or on the viewer.
 */
export const SHARED_FINGERPRINT = `hash_record_extended(ROW(${EVENT_FINGERPRINT_VALUES}, ${personFingerprintValues('o')}), 0)`;

/** The columns that depend on the viewer (except `blocked`), and the columns that depend on the waitlist. */
export const VIEWER_AND_SEAT_COLUMNS = `me.status AS participation, me.check_in_code, ${WAITLIST_COLUMNS}, ${OFFERS_UNTIL} AS offers_until, ${SEAT_COLUMNS}, ${REQUESTS_FULL} AS requests_full, ${visibleGroupSql('$1')} AS group_id`;

/** The columns of event `e` for a viewer: `o` is the organizer, `me` the viewer's participation, $1 the viewer. */
export const VIEWER_COLUMNS = viewerColumns(blocksSql('e.organizer_id', '$1'));

/** Like VIEWER_COLUMNS. `blocked` is the SQL condition that is true if the organizer blocks the viewer. */
export function viewerColumns(blocked: string): string {
  return `${SHARED_COLUMNS}, ${VIEWER_AND_SEAT_COLUMNS}, ${blocked} AS blocked`;
}

export const VIEWER_JOINS = viewerJoins('JOIN');

/** Use `LEFT JOIN` for rows that may have no event. */
export function viewerJoins(join: 'JOIN' | 'LEFT JOIN'): string {
  return `
  ${sharedJoins(join)}
  LEFT JOIN LATERAL (SELECT status, check_in_code, offer_expires_at, waitlist_number, created_at, user_id FROM participations WHERE event_id = e.id AND user_id = $1 LIMIT 1) me ON true`;
}

/** Joins for SHARED_COLUMNS. */
export function sharedJoins(join: 'JOIN' | 'LEFT JOIN'): string {
  return `${join} users o ON o.id = e.organizer_id`;
}

/** The origin of an imported event. */
export class EventSourceResource {
  /** name of the source */
  name: string;
  /** the event's page at the source; null if unknown */
  url: string | null;
}

/** A seat offered to a person on the waitlist (JOIN-57). */
export class SeatOfferResource {
  /** until when the seat is reserved */
  expires_at: string;
}

/** The caller's relation to the event; `can_join` agrees with the response of POST join. */
export class EventViewerResource {
  /** whether the caller organizes the event */
  is_organizer: boolean;
  /** the caller's participation in the event; null if there is none */
  participation: ViewerParticipation | null;
  /** whether `POST …/join` can succeed now; a password or ticket code may still be needed */
  can_join: boolean;
  /**
   * a seat that is reserved for the caller, who can take it with `POST …/join` or decline it with `DELETE …/join`; null
   * if there is none
   */
  offer: SeatOfferResource | null;
  /**
   * the caller's position on the waitlist, from 1; null if the caller is not on it, or if the caller's offer has lapsed
   */
  waitlist_position: number | null;
  /**
   * the code to show at the door, only for confirmed participants; null for a token that has none of the scopes `join`,
   * `read` and `write`
   */
  @ApiProperty({ 'x-null-without-scope': 'join' } as ApiPropertyOptions)
  check_in_code?: string | null;
}

/** An event as the caller sees it (DISC-3, DISC-4). */
export class DiscoverEventResource extends EventResource {
  /** the person who organizes the event */
  organizer: PersonResource;
  /** null for events created by users */
  source: EventSourceResource | null;
  /** the caller's relation to the event */
  viewer: EventViewerResource;
  /** only if lat and lng were sent */
  distance_km?: number | null;
}

export function discoverEventResource(
  row: ViewerEventRow,
  caller: Caller,
  now: Date,
  wire: WireFormat,
): DiscoverEventResource {
  const resource = sharedEventResource(row, now, wire) as DiscoverEventResource;
  resource.viewer = eventViewerResource(row, caller, now);
  if (row.distance_km !== undefined) resource.distance_km = row.distance_km;
  return resource;
}

/**
 * Returns all fields without `viewer` and `distance_km`, which the calling code adds. The returned fields are the same
 * for all viewers, except the group, which is null if the row's viewer does not see it.
 */
export function sharedEventResource(
  row: SharedEventRow & Pick<ViewerEventRow, 'group_id'>,
  now: Date,
  wire: WireFormat,
): Omit<DiscoverEventResource, 'viewer' | 'distance_km'> {
  // The two fields are added to the existing object, because copying an object with forty fields is slow.
  const resource = eventResource(row, now, wire) as DiscoverEventResource;
  resource.organizer = personResource(personOf(row, 'organizer'), wire);
  resource.source = row.source_name === null ? null : { name: row.source_name, url: row.source_url };
  return resource;
}

export function eventViewerResource(
  event: JoinFacts & Pick<ViewerEventRow, 'check_in_code' | 'waitlist_position' | 'offers_ahead'>,
  caller: Caller,
  now: Date,
): EventViewerResource {
  const offerUntil = openOfferUntil(event, now);
  const viewer: EventViewerResource = {
    is_organizer: isOrganizer(event, { userId: caller.id }),
    participation: event.participation === 'banned' ? null : event.participation,
    can_join: canJoin(event, caller, now),
    offer: offerUntil === null ? null : { expires_at: toWire(offerUntil) },
    waitlist_position: waitlistPosition(event, now),
  };
  if (event.participation === 'confirmed' && event.check_in_code !== null)
    viewer.check_in_code = mayRead(caller.token.scopes, ['join']) ? event.check_in_code : null;
  return viewer;
}
