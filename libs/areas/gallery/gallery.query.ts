import { statement } from '#platform/database/database';
import { personColumns, type PersonRow } from '../identity/person.resource';

/** A photo as its row has it. */
export interface PhotoRow {
  id: string;
  author_id: string;
  key: string;
  width: number;
  height: number;
  created_at: Date;
}

/** With its author. */
export type PhotoOfSomeoneRow = PhotoRow & PersonRow<'author'>;

/** The photos of event $1, newest first. $2 limit, $3 offset. */
export const PHOTOS = statement(
  'gallery_photos',
  `SELECT p.id, p.author_id, p.key, p.width, p.height, p.created_at, ${personColumns('u', 'author')}
     FROM gallery_photos p JOIN users u ON u.id = p.author_id
    WHERE p.event_id = $1 ORDER BY p.id DESC LIMIT $2 OFFSET $3`,
);

/** Photos in event $1, and how many of them are $2's. */
export const PHOTOS_TOTAL = statement(
  'gallery_photos_total',
  'SELECT count(*)::int AS total, count(*) FILTER (WHERE author_id = $2)::int AS mine FROM gallery_photos WHERE event_id = $1',
);

/** Whether event $1 has its gallery switched on. */
export const PHOTOS_ENABLED = statement('gallery_photos_enabled', 'SELECT photos_enabled FROM events WHERE id = $1');

/** How many photos of event $1 are $2's. */
export const PHOTOS_OF_AUTHOR = statement(
  'gallery_photos_of_author',
  'SELECT count(*)::int AS mine FROM gallery_photos WHERE author_id = $2 AND event_id = $1',
);

/** Event, author, keys, widths, heights, now; in the order given. */
export const ADD = statement(
  'gallery_add',
  `INSERT INTO gallery_photos (event_id, author_id, key, width, height, created_at)
   SELECT $1, $2, n.key, n.width, n.height, $6 FROM unnest($3::text[], $4::int[], $5::int[]) WITH ORDINALITY AS n (key, width, height, position)
    ORDER BY n.position
   RETURNING id, author_id, key, width, height, created_at`,
);

/** Photo $2 of event $1, locked until the transaction ends. */
export const LOCK = statement(
  'gallery_lock',
  'SELECT id, author_id, key, width, height, created_at FROM gallery_photos WHERE event_id = $1 AND id = $2 FOR UPDATE',
);

export const REMOVE = statement('gallery_remove', 'DELETE FROM gallery_photos WHERE id = $1');

export const KEYS_OF_EVENT = statement('gallery_keys_of_event', 'SELECT key FROM gallery_photos WHERE event_id = $1');
