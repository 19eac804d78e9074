import { LIMITS } from '#contract/limits';
import { statement } from '#platform/database/database';
import { arcAbove, cubeAround, lineBelow, onSphere } from '#platform/places/sphere';
import { personColumns, type PersonRow } from '../identity/person.resource';

/** A post as it is shown. */
export interface PulsRow {
  id: string;
  author_id: string;
  body: string | null;
  image_key: string | null;
  video_key: string | null;
  latitude: number;
  longitude: number;
  location_name: string | null;
  likes_count: number;
  /** As text (wire-time.ts), and so is the next. */
  created_at: string;
  expires_at: string;
}

/** A post of the feed, with its author. */
export interface PulsOfSomeoneRow extends PulsRow, PersonRow<'author'> {
  /** Great-circle. */
  distance_km: number;
  /** Of all within the radius, as far as they were counted. */
  total: number;
}

const COLUMNS = ['id', 'author_id', 'body', 'image_key', 'video_key', 'latitude', 'longitude', 'location_name', 'likes_count'];
const INSTANTS = ['created_at', 'expires_at'];
const shown = (alias: string): string => [...COLUMNS.map((name) => `${alias}.${name}`), ...INSTANTS.map((name) => `${alias}.${name}::text`)].join(', ');
const OF_P = shown('p');

/** Beyond it nobody cares how many more there are. */
export const MOST_COUNTED = 500;

/** Active at $6, and by nobody whom $1 blocks or who blocks $1. */
const SEEN = `p.expires_at > $6 AND p.author_id NOT IN (
       SELECT blocked_id FROM user_blocks WHERE blocker_id = $1 UNION ALL SELECT blocker_id FROM user_blocks WHERE blocked_id = $1)`;

/** How many $1 sees within $4 km of $2, $3, counted up to MOST_COUNTED. The index knows cubes, the line decides. */
const TOTAL = `SELECT count(*)::int FROM (
     SELECT 1 FROM puls_posts p
      WHERE p.place <@ ${cubeAround('$2', '$3', '$4')} AND p.place <-> ${onSphere('$2', '$3')} <= ${lineBelow('$4')} AND ${SEEN}
      LIMIT ${MOST_COUNTED}) counted`;

/**
 * What $1 sees within $4 km of $2, $3 at $6, nearest first, at most $5. The nearest are walked to in the index and cut
 * off at the radius afterwards: were the radius asked for inside, the planner would gather all within it and sort them.
 * As many as anybody may ask for are walked to: a number that is known makes a plan that can be kept.
 */
export const FEED = statement(
  'puls_feed',
  `SELECT ${shown('nearest')}, ${arcAbove('line')} AS distance_km, (${TOTAL}) AS total, ${personColumns('u', 'author')}
     FROM (SELECT p.*, p.place <-> ${onSphere('$2', '$3')} AS line FROM puls_posts p
            WHERE ${SEEN} ORDER BY line, p.id LIMIT ${LIMITS.puls.feed.limit.max}) nearest
     JOIN users u ON u.id = nearest.author_id
    WHERE line <= ${lineBelow('$4')} ORDER BY line, nearest.id LIMIT $5`,
);

/** $1's active posts at $2, newest first. $3 limit, $4 offset. */
export const MINE = statement(
  'puls_mine',
  `SELECT ${OF_P} FROM puls_posts p WHERE p.author_id = $1 AND p.expires_at > $2 ORDER BY p.created_at DESC, p.id DESC LIMIT $3 OFFSET $4`,
);

/** How many of $1's posts are active at $2. */
export const ACTIVE = statement('puls_active', 'SELECT count(*)::int AS total FROM puls_posts WHERE author_id = $1 AND expires_at > $2');

/** Author, body, image, video, latitude, longitude, location_name, paid, created_at, expires_at. */
export const ADD = statement(
  'puls_add',
  `INSERT INTO puls_posts AS p (author_id, body, image_key, video_key, latitude, longitude, location_name, paid, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${OF_P}`,
);

/** The active post $1 at $2, locked until the transaction ends. */
export const LOCK = statement('puls_lock', `SELECT ${OF_P} FROM puls_posts p WHERE p.id = $1 AND p.expires_at > $2 FOR UPDATE`);

export const REMOVE = statement('puls_remove', 'DELETE FROM puls_posts WHERE id = $1');

/** What has expired at $1, at most $2 of them. What somebody is removing right now is left to them. */
export const REMOVE_EXPIRED = statement(
  'puls_remove_expired',
  `DELETE FROM puls_posts WHERE id IN (
     SELECT id FROM puls_posts WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING image_key, video_key`,
);
