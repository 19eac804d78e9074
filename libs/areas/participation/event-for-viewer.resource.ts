import { LIMITS } from '#contract/limits';
import type { ViewerParticipation } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { EVENT_COLUMNS, EVENT_MARKS, EventResource, eventResource } from '../events/event.resource';
import { isBlockedSql } from '../events/event-relation';
import type { Caller } from '../identity/caller.reader';
import { personColumns, personMarks, personOf, PersonResource, personResource } from '../identity/person.resource';
import { canJoin } from './joining/admission.rules';
import type { ViewerEventRow } from './record/viewer-event.row';

export type { ViewerEventRow } from './record/viewer-event.row';

const { pending_requests_per_event, pending_requests_per_user } = LIMITS.participation;

/**
 * Whether one more request would be too many, for the event or for the viewer; asked of request events only. Who has fewer than that
 * altogether needs no look at which of them count.
 */
const REQUESTS_FULL = `CASE WHEN e.join_mode = 'request' THEN
    ${requestsReach('r.event_id = e.id', pending_requests_per_event)} OR
    (${requestsReach('r.user_id = $1', pending_requests_per_user)} AND (SELECT f_pending_requests($1, ${pending_requests_per_user})) >= ${pending_requests_per_user})
  ELSE false END`;

function requestsReach(of: string, limit: number): string {
  return `EXISTS (SELECT 1 FROM participations r WHERE ${of} AND r.status = 'requested' OFFSET ${limit - 1})`;
}

/** What one viewer's answer needs beside the event `e`: its organizer `o`, the viewer's participation `me`, a block. $1 is the viewer. */
export const VIEWER_COLUMNS = viewerColumns(isBlockedSql('$1'));

/** The same where it is known what a block is: `blocked` is SQL. */
export function viewerColumns(blocked: string): string {
  return `${EVENT_COLUMNS},
  ${personColumns('o', 'organizer')},
  me.status AS participation, me.check_in_code, ${REQUESTS_FULL} AS requests_full,
  ${blocked} AS blocked`;
}

/**
 * SQL: a number of 64 bits that is another whenever VIEWER_COLUMNS are, told as text: what an answer was made of, to be held against
 * what it would be made of now (docs/adr/0230-unchanged-answers.md).
 */
export const VIEWER_MARK = viewerMark(isBlockedSql('$1'));

/** The same of `viewerColumns`. */
export function viewerMark(blocked: string): string {
  return `hash_record_extended(ROW(${EVENT_MARKS}, ${personMarks('o')}, me.status, me.check_in_code, ${REQUESTS_FULL}, ${blocked}), 0)`;
}

export const VIEWER_JOINS = viewerJoins('JOIN');

/** `LEFT JOIN` where a row may be without an event. */
export function viewerJoins(join: 'JOIN' | 'LEFT JOIN'): string {
  return `
  ${join} users o ON o.id = e.organizer_id
  LEFT JOIN LATERAL (SELECT status, check_in_code FROM participations WHERE event_id = e.id AND user_id = $1 LIMIT 1) me ON true`;
}

/** Where an imported event comes from. */
export class EventSourceResource {
  name: string;
  url: string | null;
}

/** The caller's relation to the event; `can_join` agrees with what POST join would answer. */
export class EventViewerResource {
  is_organizer: boolean;
  participation: ViewerParticipation | null;
  can_join: boolean;
  /** for confirmed participants only: the code to show at the door */
  check_in_code?: string;
}

/** Somebody's event as the caller sees it (DISC-3, DISC-4). */
export class DiscoverEventResource extends EventResource {
  organizer: PersonResource;
  /** null for events created by users */
  source: EventSourceResource | null;
  viewer: EventViewerResource;
  /** only when lat and lng were sent */
  distance_km?: number | null;
}

export function discoverEventResource(row: ViewerEventRow, caller: Caller, now: Date, wire: WireFormat): DiscoverEventResource {
  // Added to, not copied: copying forty fields costs more than making them.
  const resource = eventResource(row, now, wire) as DiscoverEventResource;
  resource.organizer = personResource(personOf(row, 'organizer'), wire);
  resource.source = row.source_name === null ? null : { name: row.source_name, url: row.source_url };
  resource.viewer = {
    is_organizer: Number(row.organizer_id) === caller.id,
    participation: row.participation === 'banned' ? null : row.participation,
    can_join: canJoin(row, caller, now),
  };
  if (row.participation === 'confirmed' && row.check_in_code !== null) resource.viewer.check_in_code = row.check_in_code;
  if (row.distance_km !== undefined) resource.distance_km = row.distance_km;
  return resource;
}
