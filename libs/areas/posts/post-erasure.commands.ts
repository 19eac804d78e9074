import { statement, type Transaction } from '#platform/database/database';
import type { Signals } from '#platform/signals/signals';
import { PostDeleted } from './post.signal';

const LOCK_POSTS_OF = statement(
  'posts_lock_of',
  'SELECT id, cover_key FROM all_posts WHERE author_id = $1 ORDER BY id FOR UPDATE',
);
const DELETE_POSTS_OF = statement('posts_delete_of', 'DELETE FROM all_posts WHERE author_id = $1');

/** Deletes all posts of a person, and the comments on these posts. Returns the ids and the cover keys of the posts. */
export async function deletePostsOf(
  tx: Transaction,
  signals: Signals,
  userId: number,
): Promise<{ readonly ids: number[]; readonly keys: string[] }> {
  const posts = await tx.rows<{ id: string; cover_key: string | null }>(LOCK_POSTS_OF, [userId]);
  for (const { id } of posts) await signals.raise(tx, new PostDeleted(Number(id)));
  await tx.rows(DELETE_POSTS_OF, [userId]);
  return {
    ids: posts.map(({ id }) => Number(id)),
    keys: posts.map(({ cover_key }) => cover_key).filter((key) => key !== null),
  };
}
