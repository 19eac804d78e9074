import { statement, type Statement } from '#platform/database/database';
import { EVENT_LOCK } from '../events/event-locks';
import { STRANGER_SEES_SQL } from '../events/event-relation';
import { personColumns, type PersonRow } from '../identity/person.resource';
import { Comment } from './comment.entity';
import type { SubjectKind } from './subject';

/** The column with the id of the subject. Only the first comment of a thread (the root) has this id. */
const COLUMN: Record<SubjectKind, string> = { event: 'event_id', post: 'post_id' };

/** One statement per kind of subject. */
function perKind(name: string, text: (column: string) => string): Record<SubjectKind, Statement> {
  return { event: statement(`${name}_event`, text(COLUMN.event)), post: statement(`${name}_post`, text(COLUMN.post)) };
}

/** A comment with its author. */
export interface CommentRow extends PersonRow<'author'> {
  id: string;
  event_id: string | null;
  post_id: string | null;
  root_id: string | null;
  body: string | null;
  image_key: string | null;
  created_at: Date;
  author_id: string;
}

/** A row of a page. For an empty page, there is one row, which contains only the total. */
export type ThreadsRow = { total: number } & (CommentRow | { id: null });

export function commentOf({
  id,
  event_id,
  post_id,
  root_id,
  author_id,
  body,
  image_key,
  created_at,
}: CommentRow): Comment {
  const ids = {
    id: Number(id),
    eventId: idOf(event_id),
    postId: idOf(post_id),
    rootId: idOf(root_id),
    authorId: Number(author_id),
  };
  return Object.assign(new Comment(), ids, { body, imageKey: image_key, createdAt: created_at });
}

function idOf(value: string | null): number | null {
  return value === null ? null : Number(value);
}

/**
 * A page of threads with all their replies, and the number of all threads: $1 subject, $2 limit, $3 offset. The newest
 * thread comes first. In each thread, the root comes before its replies, and older replies come before newer replies.
 */
export const THREADS_OF_SUBJECT = perKind(
  'comments_threads',
  (column) => `
  WITH root AS MATERIALIZED (SELECT * FROM comments WHERE ${column} = $1 ORDER BY id DESC LIMIT $2 OFFSET $3)
  SELECT all_threads.total, c.id, c.event_id, c.post_id, c.root_id, c.body, c.image_key, c.created_at, c.author_id,
         ${personColumns('u', 'author')}
    FROM (SELECT count(*)::int AS total FROM comments WHERE ${column} = $1) all_threads
    LEFT JOIN (
      (SELECT * FROM root UNION ALL SELECT * FROM comments WHERE root_id = ANY (array(SELECT id FROM root)))
      c JOIN users u ON u.id = c.author_id
    ) ON true
   ORDER BY coalesce(c.root_id, c.id) DESC, c.id`,
);

/** Returns a row if account $1 has written a comment on an event that strangers see, or on a published post. */
export const HAS_PUBLIC_COMMENT = statement(
  'comments_has_public',
  `SELECT 1 AS public
     FROM comments c LEFT JOIN comments root ON root.id = c.root_id
     LEFT JOIN events e ON e.id = coalesce(c.event_id, root.event_id)
     LEFT JOIN posts p ON p.id = coalesce(c.post_id, root.post_id)
    WHERE c.author_id = $1 AND (${STRANGER_SEES_SQL} OR p.status = 'published') LIMIT 1`,
);

/**
 * The comments $1 and, for each root among them, all its replies. A root comes before its replies, and older replies
 * come before newer replies.
 */
export const COMMENTS_WITH_REPLIES = statement(
  'comments_with_replies',
  `SELECT c.id, c.event_id, c.post_id, c.root_id, c.body, c.image_key, c.created_at, c.author_id, ${personColumns('u', 'author')}
     FROM (SELECT * FROM comments WHERE id = ANY($1) UNION SELECT * FROM comments WHERE root_id = ANY($1)) c
     JOIN users u ON u.id = c.author_id
    ORDER BY coalesce(c.root_id, c.id), c.id`,
);

/**
 * Prevents the deletion of subject $1 until the transaction ends. An event has a limit of threads. Therefore its row is
 * locked with `EVENT_LOCK.change`, so that its comments are added one after another. The same lock also prevents
 * changes of participations. A post has no such limit, so its comments can be added in parallel.
 */
export const LOCK_SUBJECT: Record<SubjectKind, Statement> = {
  event: statement('comments_lock_event', `SELECT id FROM events WHERE id = $1 ${EVENT_LOCK.change}`),
  post: statement('comments_lock_post', 'SELECT id FROM posts WHERE id = $1 FOR KEY SHARE'),
};

const rootSql = (column: string): string =>
  `SELECT root.id FROM comments root
    WHERE root.id = (SELECT coalesce(root_id, id) FROM comments WHERE id = $2) AND root.${column} = $1`;

/** The root of the thread that contains comment $2, if this root belongs to subject $1. */
export const ROOT_OF_COMMENT = perKind('comments_root', rootSql);

/** Like `ROOT_OF_COMMENT`. Prevents the deletion of the root until the transaction ends. */
export const LOCK_ROOT_OF_COMMENT = perKind('comments_lock_root', (column) => `${rootSql(column)} FOR KEY SHARE`);

/**
 * Keeps the newest $2 threads of the locked event $1, deletes the older ones and returns their images. Threads that a
 * moderator removed do not count and are not deleted.
 */
export const DELETE_OLD_THREADS = statement(
  'comments_delete_old_threads',
  `WITH old AS MATERIALIZED (SELECT id FROM comments WHERE event_id = $1 ORDER BY id DESC OFFSET $2)
   DELETE FROM all_comments
    WHERE id IN (SELECT id FROM old UNION ALL SELECT reply.id FROM old JOIN all_comments reply ON reply.root_id = old.id)
   RETURNING image_key`,
);

/** Deletes all comments on the locked subject $1, including removed comments; returns the images. */
export const DELETE_COMMENTS_OF_SUBJECT = perKind(
  'comments_delete_of_subject',
  (column) => `
  WITH thread AS MATERIALIZED (SELECT id FROM all_comments WHERE ${column} = $1)
  DELETE FROM all_comments
   WHERE id IN (SELECT id FROM thread UNION ALL SELECT reply.id FROM thread JOIN all_comments reply ON reply.root_id = thread.id)
  RETURNING image_key`,
);

/** Deletes the locked comment $1 and its replies; returns all their images. */
export const DELETE_COMMENT_WITH_REPLIES = statement(
  'comments_delete_with_replies',
  'DELETE FROM all_comments WHERE id = $1 OR root_id = $1 RETURNING image_key',
);
