import type { ParticipationState, ViewerParticipation } from '#contract/vocabulary';
import type { Wire } from '#platform/http/wire';
import { EVENT_COLUMNS, EventResource, eventResource, type EventRow } from '../events/event.resource';
import type { Caller } from '../identity/caller.reader';
import { PersonResource, personResource } from '../identity/person.resource';
import { canJoin } from './admission.rules';

/** What one viewer's answer needs beside the event `e`: its organizer `o`, the viewer's participation `me`, a block. $1 is the viewer. */
export const VIEWER_COLUMNS = `${EVENT_COLUMNS},
  o.name AS organizer_name, o.nickname AS organizer_nickname, o.slug AS organizer_slug, o.avatar_key AS organizer_avatar_key,
  me.status AS participation,
  EXISTS (SELECT 1 FROM user_blocks b WHERE b.blocker_id = e.organizer_id AND b.blocked_id = $1) AS blocked`;

export const VIEWER_JOINS = `
  JOIN users o ON o.id = e.organizer_id
  LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = $1`;

/** What VIEWER_COLUMNS select. */
export interface ViewerEventRow extends EventRow {
  organizer_name: string;
  organizer_nickname: string | null;
  organizer_slug: string;
  organizer_avatar_key: string | null;
  participation: ParticipationState | null;
  blocked: boolean;
  /** Kilometres; only from queries that know where the viewer is. */
  distance_km?: number | null;
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
}

/** Somebody's event as the caller sees it (api-spec, "Discover event"). */
export class DiscoverEventResource extends EventResource {
  organizer: PersonResource;
  /** null for events created by users */
  source: EventSourceResource | null;
  viewer: EventViewerResource;
  /** only when lat and lng were sent */
  distance_km?: number | null;
}

export function discoverEventResource(row: ViewerEventRow, caller: Caller, now: Date, wire: Wire): DiscoverEventResource {
  const organizer = {
    name: row.organizer_name, nickname: row.organizer_nickname, slug: row.organizer_slug, avatarKey: row.organizer_avatar_key,
  };
  const resource: DiscoverEventResource = {
    ...eventResource(row, now, wire),
    organizer: personResource(organizer, wire),
    source: row.source_name === null ? null : { name: row.source_name, url: row.source_url },
    viewer: {
      is_organizer: Number(row.organizer_id) === caller.id,
      participation: row.participation === 'banned' ? null : row.participation,
      can_join: canJoin(row, caller, now),
    },
  };
  if (row.distance_km !== undefined) resource.distance_km = row.distance_km;
  return resource;
}
