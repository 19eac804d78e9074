import type { WireFormat } from '#platform/http/wire-format';
import { textToWire } from '#platform/time/wire-time';
import { personOf, PersonResource, personResource, type Person } from '../identity/person.resource';
import type { PulsOfSomeoneRow, PulsRow } from './puls.query';

export class PulsViewerResource {
  is_mine: boolean;
}

/** A Puls post (PULS-3). */
export class PulsResource {
  /** hashid */
  id: string;
  /** sanitized HTML */
  body: string | null;
  image_url: string | null;
  image_thumb_url: string | null;
  video_url: string | null;
  video_poster_url: string | null;
  latitude: number;
  longitude: number;
  location_name: string | null;
  /** only in the feed; great-circle */
  distance_km?: number;
  likes_count: number;
  author: PersonResource;
  viewer: PulsViewerResource;
  expires_at: string;
  created_at: string;
}

/** As its author sees it. */
export function ownPulsResource(row: PulsRow, author: Person, wire: WireFormat): PulsResource {
  return pulsResource(row, author, true, wire);
}

/** As `viewerId` sees it in the feed. */
export function feedPulsResource(row: PulsOfSomeoneRow, viewerId: number, wire: WireFormat): PulsResource {
  return { ...pulsResource(row, personOf(row, 'author'), Number(row.author_id) === viewerId, wire), distance_km: inMetres(row.distance_km) };
}

function pulsResource(row: PulsRow, author: Person, isMine: boolean, wire: WireFormat): PulsResource {
  return {
    id: wire.id('puls', row.id),
    body: row.body,
    image_url: wire.mediaOrNull(row.image_key),
    image_thumb_url: wire.thumbOrNull(row.image_key),
    video_url: wire.mediaOrNull(row.video_key),
    video_poster_url: wire.posterOrNull(row.video_key),
    latitude: row.latitude,
    longitude: row.longitude,
    location_name: row.location_name,
    likes_count: row.likes_count,
    author: personResource(author, wire),
    viewer: { is_mine: isMine },
    expires_at: textToWire(row.expires_at),
    created_at: textToWire(row.created_at),
  };
}

/** Kilometres with three decimals; more would be noise. */
function inMetres(kilometres: number): number {
  return Math.round(kilometres * 1000) / 1000;
}
