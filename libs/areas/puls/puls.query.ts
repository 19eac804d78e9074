import { LIMITS } from '#contract/limits';
import { statement } from '#platform/database/database';
import { arcSql, cubeAround, chordSql, onSphere } from '#platform/places/sphere';
import { blockedEitherWaySql } from '../identity/account-conditions.sql';
import { personColumns, type PersonRow } from '../identity/person.resource';
import type { PulsPost } from './puls-post.entity';

/** The columns of a post in a list. */
export interface PulsRow extends Omit<PulsPost, 'id' | 'authorId' | 'paid' | 'mediaKeys' | 'isBy'> {
  id: string;
  authorId: string;
}

/** A post of the feed, with its author. */
export interface FeedPulsRow extends PulsRow, PersonRow<'author'> {
  /** Great-circle distance in kilometres. */
  distance_km: number;
  /** The number of posts within the radius, counted up to `max_counted`. */
  total: number;
}

/** SQL: the columns of a PulsRow; `p` is the alias of the table of posts. */
const pulsColumns = (
  p: string,
): string => `${p}.id, ${p}.author_id AS "authorId", ${p}.body, ${p}.image_key AS "imageKey", ${p}.video_key AS "videoKey",
         ${p}.latitude, ${p}.longitude, ${p}.location_name AS "locationName", ${p}.likes_count AS "likesCount",
         ${p}.created_at AS "createdAt", ${p}.expires_at AS "expiresAt"`;

/** Whether the user $2 sees the post $1 at time $3. */
export const SEES_PULS_POST = statement(
  'puls_sees',
  `SELECT 1 AS seen FROM puls_posts p WHERE p.id = $1 AND p.expires_at > $3 AND p.author_id NOT IN (${blockedEitherWaySql('$2')})`,
);

/** SQL: whether the post is active at time $6 and there is no block between its author and the user $1. */
const ACTIVE_AND_NOT_BLOCKED = `p.expires_at > $6 AND p.author_id NOT IN (
       ${blockedEitherWaySql('$1')})`;

/**
 * SQL: the number of posts that the user $1 sees at time $6 within $4 km of the point ($2, $3). Counting stops at
 * `max_counted`, so that the query stays fast. The index finds the posts in a cube around the circle; the straight-line
 * distance then selects the posts within the circle.
 */
const COUNT_WITHIN_RADIUS = `SELECT count(*)::int FROM (
     SELECT 1 FROM puls_posts p
      WHERE p.place <@ ${cubeAround('$2', '$3', '$4')} AND p.place <-> ${onSphere('$2', '$3')} <= ${chordSql('$4')} AND ${ACTIVE_AND_NOT_BLOCKED}
      LIMIT ${LIMITS.puls.feed.max_counted}) counted`;

/**
 * At most $5 posts that the user $1 sees at time $6 within $4 km of the point ($2, $3), the nearest first. The inner
 * query reads the nearest posts in index order; the outer query then removes the posts beyond the radius. If the inner
 * query had the radius condition, PostgreSQL would read and sort all posts within the radius. The limit of the inner
 * query is the largest value that $5 can have. So PostgreSQL knows the number of rows, and uses one plan for every
 * value of $5.
 */
export const PULS_FEED = statement(
  'puls_feed',
  `SELECT ${pulsColumns('nearest')}, ${arcSql('chord')} AS distance_km, (${COUNT_WITHIN_RADIUS}) AS total, ${personColumns('u', 'author')}
     FROM (SELECT p.*, p.place <-> ${onSphere('$2', '$3')} AS chord FROM puls_posts p
            WHERE ${ACTIVE_AND_NOT_BLOCKED} ORDER BY chord, p.id LIMIT ${LIMITS.puls.feed.limit.max}) nearest
     JOIN users u ON u.id = nearest.author_id
    WHERE chord <= ${chordSql('$4')} ORDER BY chord, nearest.id LIMIT $5`,
);

/** The posts of user $1 that are active at $2, newest first. $3 limit, $4 offset. */
export const ACTIVE_PULS_POSTS_OF_AUTHOR = statement(
  'puls_active_of_author',
  `SELECT ${pulsColumns('p')} FROM puls_posts p WHERE p.author_id = $1 AND p.expires_at > $2 ORDER BY p.created_at DESC, p.id DESC LIMIT $3 OFFSET $4`,
);

/** The number of posts of user $1 that are active at $2. */
export const COUNT_ACTIVE_PULS_POSTS = statement(
  'puls_count_active',
  'SELECT count(*)::int AS total FROM puls_posts WHERE author_id = $1 AND expires_at > $2',
);

/**
 * The number of posts of user $1 that are active at $2, and the times at which these posts expire, in ascending order
 * (NULL if there are no such posts).
 */
export const EXPIRIES_OF_ACTIVE_PULS_POSTS = statement(
  'puls_expiries_of_active',
  `SELECT count(*)::int AS total, array_agg(expires_at ORDER BY expires_at) AS expiries
     FROM puls_posts WHERE author_id = $1 AND expires_at > $2`,
);

/**
 * Deletes at most $2 posts that have expired at $1, including posts of banned accounts. Returns the keys of the posts'
 * files. Skips rows that another transaction has locked. Posts that a moderator removed are also skipped, because the
 * job `removed-delete` deletes them.
 */
export const DELETE_EXPIRED_PULS_POSTS = statement(
  'puls_delete_expired',
  `DELETE FROM all_puls_posts WHERE id IN (
     SELECT id FROM all_puls_posts WHERE expires_at <= $1 AND removed_at IS NULL ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING image_key AS "imageKey", video_key AS "videoKey"`,
);
