import { statement, type Statement } from '#platform/database/database';
import { EVENT_LOCK } from '../events/event-locks';
import { personColumns, type PersonRow } from '../identity/person.resource';
import type { SubjectKind } from './subject';

/** The column of a root that names its subject. */
const COLUMN: Record<SubjectKind, string> = { event: 'event_id', post: 'post_id' };

/** One statement per kind of subject. */
function perKind(name: string, text: (column: string) => string): Record<SubjectKind, Statement> {
  return { event: statement(`${name}_event`, text(COLUMN.event)), post: statement(`${name}_post`, text(COLUMN.post)) };
}

/** A comment as its row has it. */
export interface CommentRow {
  id: string;
  root_id: string | null;
  body: string | null;
  image_key: string | null;
  created_at: Date;
  author_id: string;
}

/** A row of a page; on an empty page there is one, with nothing but the total. */
export type PageRow = { total: number } & ((CommentRow & PersonRow<'author'>) | { id: null });

/**
 * A page of threads with all their replies and the number of all threads: $1 subject, $2 limit, $3 offset. Threads newest
 * first, in each the root and then its replies, oldest first.
 */
export const THREADS = perKind('comments_threads', (column) => `
  WITH root AS MATERIALIZED (SELECT * FROM comments WHERE ${column} = $1 ORDER BY id DESC LIMIT $2 OFFSET $3)
  SELECT all_threads.total, c.id, c.root_id, c.body, c.image_key, c.created_at, c.author_id,
         ${personColumns('u', 'author')}
    FROM (SELECT count(*)::int AS total FROM comments WHERE ${column} = $1) all_threads
    LEFT JOIN (
      (SELECT * FROM root UNION ALL SELECT * FROM comments WHERE root_id = ANY (array(SELECT id FROM root)))
      c JOIN users u ON u.id = c.author_id
    ) ON true
   ORDER BY coalesce(c.root_id, c.id) DESC, c.id`);

/**
 * The subject $1 does not go before the transaction ends. Comments of an event come and go one by one, and nobody joins or
 * leaves it meanwhile; a post has nothing to prune, so there they need not wait for each other.
 */
export const LOCK_SUBJECT: Record<SubjectKind, Statement> = {
  event: statement('comments_lock_event', `SELECT id FROM events WHERE id = $1 ${EVENT_LOCK.change}`),
  post: statement('comments_lock_post', 'SELECT id FROM posts WHERE id = $1 FOR KEY SHARE'),
};

/**
 * The root of the thread that comment $2 is in, if that hangs on the subject $1. Until the transaction ends it does not go.
 */
export const HOLD_ROOT = perKind('comments_hold_root', (column) => `
  SELECT root.id FROM comments root
   WHERE root.id = (SELECT coalesce(root_id, id) FROM comments WHERE id = $2) AND root.${column} = $1
     FOR KEY SHARE`);

/** Subject, author, body, image, now. */
export const ADD_ROOT = perKind('comments_add_root', (column) => `
  INSERT INTO comments (${column}, author_id, body, image_key, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING id`);

/** Root, author, body, image, now. */
export const ADD_REPLY = statement(
  'comments_add_reply',
  'INSERT INTO comments (root_id, author_id, body, image_key, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING id',
);

/** Deletes all threads of the locked event $1 but the newest $2, with their replies; answers the images of all these. */
export const PRUNE = statement(
  'comments_prune',
  `WITH old AS MATERIALIZED (SELECT id FROM comments WHERE event_id = $1 ORDER BY id DESC OFFSET $2)
   DELETE FROM comments
    WHERE id IN (SELECT id FROM old UNION ALL SELECT reply.id FROM old JOIN comments reply ON reply.root_id = old.id)
   RETURNING image_key`,
);

/** Deletes everything said about the locked subject $1; answers the images. */
export const DELETE_ALL = perKind('comments_delete_all', (column) => `
  WITH thread AS MATERIALIZED (SELECT id FROM comments WHERE ${column} = $1)
  DELETE FROM comments
   WHERE id IN (SELECT id FROM thread UNION ALL SELECT reply.id FROM thread JOIN comments reply ON reply.root_id = thread.id)
  RETURNING image_key`);

/** A comment as the one who deletes it needs it. */
export interface FoundCommentRow {
  author_id: string;
  event_id: string | null;
  post_id: string | null;
}

/** Comment $1, with what its thread hangs on. */
export const COMMENT = statement(
  'comments_one',
  `SELECT c.author_id, root.event_id, root.post_id
     FROM comments c JOIN comments root ON root.id = coalesce(c.root_id, c.id)
    WHERE c.id = $1`,
);

/** From here on nobody replies to it. */
export const LOCK_COMMENT = statement('comments_lock', 'SELECT id FROM comments WHERE id = $1 FOR UPDATE');

/** Deletes the locked comment $1 and its replies; answers the images of all these. */
export const DELETE_THREAD = statement('comments_delete_thread', 'DELETE FROM comments WHERE id = $1 OR root_id = $1 RETURNING image_key');
