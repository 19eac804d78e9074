import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { personOf, PersonResource, personResource, type Person } from '../identity/person.resource';
import type { FeedPulsRow, PulsRow } from './puls.query';
import type { PulsPost } from './puls-post.entity';

export class PulsViewerResource {
  /** whether the caller wrote the post */
  is_mine: boolean;
}

/** A Puls post (PULS-3). */
export class PulsResource {
  /** hashid */
  id: string;
  /** sanitized HTML; null if there is no text */
  body: string | null;
  /** the photo; null if there is none */
  image_url: string | null;
  /** a small version of the photo; null if there is none */
  image_thumb_url: string | null;
  /** an MP4 video of at most 6 seconds; null if there is none */
  video_url: string | null;
  /** a still picture of the video; null if there is none */
  video_poster_url: string | null;
  /** degrees north */
  latitude: number;
  /** degrees east */
  longitude: number;
  /** name of the place; null when not given */
  location_name: string | null;
  /** great-circle distance in kilometres; only in the feed */
  distance_km?: number;
  /** how many people like the post */
  likes_count: number;
  /** the person who wrote the post */
  author: PersonResource;
  /** the caller's relation to the post */
  viewer: PulsViewerResource;
  /** when the post expires, 24 hours after it was created */
  expires_at: string;
  /** when the post was created */
  created_at: string;
}

/** A post in the form that its author sees. */
export function ownPulsResource(post: PulsRow | PulsPost, author: Person, wire: WireFormat): PulsResource {
  return pulsResource(post, author, true, wire);
}

/** A post of the feed in the form that the user `viewerId` sees. */
export function feedPulsResource(row: FeedPulsRow, viewerId: number, wire: WireFormat): PulsResource {
  return {
    ...pulsResource(row, personOf(row, 'author'), Number(row.authorId) === viewerId, wire),
    distance_km: roundedToMetres(row.distance_km),
  };
}

function pulsResource(post: PulsRow | PulsPost, author: Person, isMine: boolean, wire: WireFormat): PulsResource {
  return {
    id: wire.id('puls', post.id),
    body: post.body,
    image_url: wire.mediaOrNull(post.imageKey),
    image_thumb_url: wire.thumbOrNull(post.imageKey),
    video_url: wire.mediaOrNull(post.videoKey),
    video_poster_url: wire.posterOrNull(post.videoKey),
    latitude: post.latitude,
    longitude: post.longitude,
    location_name: post.locationName,
    likes_count: post.likesCount,
    author: personResource(author, wire),
    viewer: { is_mine: isMine },
    expires_at: toWire(post.expiresAt),
    created_at: toWire(post.createdAt),
  };
}

/** Kilometres rounded to three decimals. */
function roundedToMetres(kilometres: number): number {
  return Math.round(kilometres * 1000) / 1000;
}
