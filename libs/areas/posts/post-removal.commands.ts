import { statement, type Queryable } from '#platform/database/database';
import { Removal } from '#platform/database/removal';

/** Removes posts from view, restores them, and later deletes the rows of removed posts (docs/rules/moderation.md). */
export const POST_REMOVAL = new Removal('all_posts', 'SELECT cover_key AS key FROM all_posts WHERE id = $1');

const ANY_POST_ID = statement('posts_any_id', 'SELECT id FROM all_posts WHERE slug = $1');

/** The id of a post, even if the post was removed; null for an unknown slug. */
export async function postIdEvenIfRemoved(database: Queryable, slug: string): Promise<number | null> {
  const [row] = await database.rows<{ id: string }>(ANY_POST_ID, [slug]);
  return row ? Number(row.id) : null;
}
