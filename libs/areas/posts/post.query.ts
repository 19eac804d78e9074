import { statement, type Statement } from '#platform/database/database';
import { hasWordsSql } from '#platform/database/word-search';
import { seesEventSql, STRANGER_SEES_SQL } from '../events/event-relation';
import { blockedEitherWaySql } from '../identity/account-conditions.sql';
import { postColumns } from './post.resource';

/** Removes event $1 from its posts. $2 now. */
export const RELEASE_POSTS_FROM_EVENT = statement(
  'posts_release_from_event',
  'UPDATE all_posts SET event_id = NULL, updated_at = $2 WHERE event_id = $1',
);

/** Selects the columns that `PostAccessPolicy` needs. */
const ACCESS = 'SELECT p.id, p.author_id, p.status, p.version FROM posts p';

export const POST_ACCESS = statement('posts_access', `${ACCESS} WHERE p.slug = $1`);
export const POST_ACCESS_BY_ID = statement('posts_access_by_id', `${ACCESS} WHERE p.id = $1`);

/** SQL: the id of the post's event if the viewer sees the event, otherwise null. `viewer` is a placeholder. */
function seenEventSql(viewer: string): string {
  return `(SELECT e.id FROM events e LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = ${viewer}
            WHERE e.id = p.event_id AND ${seesEventSql(viewer)})`;
}

/**
 * SQL: the id of the post's event if the viewer wrote the post or sees the event, otherwise null. Always null if
 * moderation hides the event. `viewer` is a placeholder.
 */
function shownEventSql(viewer: string): string {
  return `CASE WHEN p.author_id = ${viewer} THEN (SELECT e.id FROM events e WHERE e.id = p.event_id) ELSE ${seenEventSql(viewer)} END`;
}

/** SQL: selects posts with the columns that a response to the viewer needs. `viewer` is a placeholder. */
function postsSql(viewer: string): string {
  return `SELECT ${postColumns(shownEventSql(viewer))} FROM posts p JOIN users u ON u.id = p.author_id`;
}

/** The post with the id $1 for the viewer $2. */
export const SELECT_POST = statement('posts_one', `${postsSql('$2')} WHERE p.id = $1`);

/** The posts with the ids $1 for the viewer $2. */
export const SELECT_POSTS = statement('posts_by_ids', `${postsSql('$2')} WHERE p.id = ANY($1)`);

/**
 * The posts of author $1, the newest first: $2 limit, $3 offset. The rows are read in the order of the index
 * `posts_author`.
 */
export const OWN_POSTS = statement(
  'posts_own',
  `${postsSql('$1')} WHERE p.author_id = $1 ORDER BY p.created_at DESC, p.id DESC LIMIT $2 OFFSET $3`,
);
export const OWN_POSTS_TOTAL = statement(
  'posts_own_total',
  'SELECT count(*)::int AS total FROM posts WHERE author_id = $1',
);

export const HAS_PUBLISHED_POST = statement(
  'posts_has_published',
  `SELECT 1 AS published FROM posts WHERE author_id = $1 AND status = 'published' LIMIT 1`,
);

/** SQL: whether there is no block between the author of post `p` and the viewer, in either direction. */
function isNotBlockedSql(viewer: string): string {
  return `p.author_id NOT IN (${blockedEitherWaySql(`${viewer}::bigint`)})`;
}

/** SQL: the newest $2 of the selected posts. */
const NEWEST = 'ORDER BY p.published_at DESC, p.id DESC LIMIT $2';

/** SQL: the text in which words are searched. The index `posts_words` contains the same expression. */
const FOLDED = 'f_folded(p.title, p.excerpt, p.location)';

/**
 * Statements that select (`list`) and count (`total`) the published posts for the viewer $1, without posts of authors
 * who block the viewer or whom the viewer blocks. Filters: $2 words, $3 category, $4 slug of the author, $5 event; a
 * filter that is null has no effect. If the viewer does not see the event $5, no posts are found. `list`: $6 limit, $7
 * offset.
 */
function searchStatements(byWords: boolean): { list: Statement; total: Statement } {
  const where = `p.status = 'published' AND ${byWords ? hasWordsSql(FOLDED, '$2::text') : '$2::text IS NULL'}
     AND ${isNotBlockedSql('$1')}
     AND ($3::text IS NULL OR p.categories @> ARRAY[$3::text])
     AND ($4::text IS NULL OR p.author_id = (SELECT a.id FROM users a WHERE a.slug = $4 AND NOT a.gone))
     AND ($5::bigint IS NULL OR p.event_id = $5 AND ${seenEventSql('$1')} IS NOT NULL)`;
  const name = `posts_explored${byWords ? '_by_words' : ''}`;
  return {
    list: statement(
      name,
      `SELECT ${postColumns(seenEventSql('$1'))} FROM posts p JOIN users u ON u.id = p.author_id
        WHERE ${where} ORDER BY p.published_at DESC, p.id DESC LIMIT $6 OFFSET $7`,
    ),
    total: statement(`${name}_total`, `SELECT count(*)::int AS total FROM posts p WHERE ${where}`),
  };
}

export const EXPLORED_POSTS = { any: searchStatements(false), byWords: searchStatements(true) };

/** The slugs of the newest $1 published posts. */
export const PUBLISHED_SLUGS = statement(
  'posts_published_slugs',
  `SELECT p.slug FROM posts p WHERE p.status = 'published' ORDER BY p.published_at DESC, p.id DESC LIMIT $1`,
);

/** The newest $2 published posts of author $1 for the viewer $3. */
export const PUBLISHED_OF_AUTHOR = statement(
  'posts_published_of_author',
  `${postsSql('$3')} WHERE p.author_id = $1 AND p.status = 'published' AND ${isNotBlockedSql('$3')} ${NEWEST}`,
);

/** The newest $2 published posts about public events of group $1 for the viewer $3. */
export const PUBLISHED_ABOUT_GROUP = statement(
  'posts_published_about_group',
  `${postsSql('$3')} JOIN events e ON e.id = p.event_id WHERE e.group_id = $1 AND ${STRANGER_SEES_SQL} AND p.status = 'published' AND ${isNotBlockedSql('$3')} ${NEWEST}`,
);

/** Adds a post. Returns no row if the slug is taken. Waits for a concurrent insert of the same slug. */
export const ADD_POST = statement(
  'posts_add',
  `INSERT INTO posts (slug, author_id, event_id, title, excerpt, body, categories, location, status, published_at, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
   ON CONFLICT (slug) DO NOTHING RETURNING id`,
);
