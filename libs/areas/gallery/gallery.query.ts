import { statement } from '#platform/database/database';
import { STRANGER_SEES_SQL } from '../events/event-relation';
import { personColumns, type PersonRow } from '../identity/person.resource';
import { GalleryPhoto } from './gallery-photo.entity';

/** A photo with its author. */
export interface PhotoRow extends PersonRow<'author'> {
  id: string;
  event_id: string;
  author_id: string;
  key: string;
  width: number;
  height: number;
  created_at: Date;
}

export function photoOf({ id, event_id, author_id, key, width, height, created_at }: PhotoRow): GalleryPhoto {
  const ids = { id: Number(id), eventId: Number(event_id), authorId: Number(author_id) };
  return Object.assign(new GalleryPhoto(), ids, { key, width, height, createdAt: created_at });
}

const PHOTO_COLUMNS = `p.id, p.event_id, p.author_id, p.key, p.width, p.height, p.created_at, ${personColumns('u', 'author')}`;

/** The visible photos of event $1, the newest first. $2 is the limit, $3 the offset. */
export const PHOTOS_OF_EVENT = statement(
  'gallery_photos_of_event',
  `SELECT ${PHOTO_COLUMNS} FROM gallery_photos p JOIN users u ON u.id = p.author_id
    WHERE p.event_id = $1 ORDER BY p.id DESC LIMIT $2 OFFSET $3`,
);

/** The visible photos with the ids $1, and the organizers of their events. Photos of hidden events are omitted. */
export const PHOTOS_BY_IDS = statement(
  'gallery_photos_by_ids',
  `SELECT ${PHOTO_COLUMNS}, e.organizer_id FROM gallery_photos p JOIN users u ON u.id = p.author_id JOIN events e ON e.id = p.event_id
    WHERE p.id = ANY($1)`,
);

/** The number of visible photos of event $1, and how many of them user $2 added. */
export const COUNT_PHOTOS_OF_EVENT = statement(
  'gallery_count_photos_of_event',
  'SELECT count(*)::int AS total, count(*) FILTER (WHERE author_id = $2)::int AS mine FROM gallery_photos WHERE event_id = $1',
);

/** One row if user $1 is the author of a visible photo of a public event. */
export const HAS_PUBLIC_PHOTO = statement(
  'gallery_has_public_photo',
  `SELECT 1 AS public FROM gallery_photos p JOIN events e ON e.id = p.event_id
    WHERE p.author_id = $1 AND ${STRANGER_SEES_SQL} LIMIT 1`,
);

/** Whether the gallery of event $1 is enabled. */
export const PHOTOS_ENABLED = statement('gallery_photos_enabled', 'SELECT photos_enabled FROM events WHERE id = $1');

/** The keys of the photos of event $1, including photos that a moderator removed. */
export const PHOTO_KEYS_OF_EVENT = statement(
  'gallery_photo_keys_of_event',
  'SELECT key FROM all_gallery_photos WHERE event_id = $1',
);
