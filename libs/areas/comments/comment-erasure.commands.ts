import { statement, type Transaction } from '#platform/database/database';
import { PSEUDONYMS_SQL, type Pseudonyms, type PseudonymScope } from '../identity/pseudonyms.commands';

/** The events and posts on which user $1 has commented. A reply counts for the event or post of its root. */
const SCOPES_OF_COMMENTS = statement(
  'comments_scopes_of',
  `SELECT DISTINCT coalesce(c.event_id, root.event_id) AS event_id, coalesce(c.post_id, root.post_id) AS post_id
     FROM all_comments c LEFT JOIN all_comments root ON root.id = c.root_id WHERE c.author_id = $1`,
);
const IMAGES_OF_AUTHOR = statement(
  'comments_images_of_author',
  'SELECT image_key FROM all_comments WHERE author_id = $1 AND image_key IS NOT NULL',
);

const handOver = (scope: 'event' | 'post') =>
  statement(
    `comments_hand_over_${scope}`,
    `UPDATE all_comments c SET author_id = pseudonym.user_id, body = NULL, image_key = NULL, emptied = true
     FROM all_comments self LEFT JOIN all_comments root ON root.id = self.root_id, ${PSEUDONYMS_SQL}
    WHERE c.author_id = $1 AND self.id = c.id AND coalesce(self.${scope}_id, root.${scope}_id) = pseudonym.scope_id`,
  );
const HAND_OVER_COMMENTS = { event: handOver('event'), post: handOver('post') } as const;

/** Events and posts on which a person has commented. */
export async function scopesOfComments(tx: Transaction, userId: number): Promise<PseudonymScope[]> {
  const rows = await tx.rows<{ event_id: string | null; post_id: string | null }>(SCOPES_OF_COMMENTS, [userId]);
  return rows.map(({ event_id, post_id }) =>
    event_id !== null ? { kind: 'event', id: Number(event_id) } : { kind: 'post', id: Number(post_id) },
  );
}

/**
 * Removes the text and picture of the user's comments, and gives the comments to pseudonyms of the deleted account. The
 * comments are not deleted, because they may have replies. Returns the keys of the pictures.
 */
export async function emptyComments(tx: Transaction, userId: number, pseudonyms: Pseudonyms): Promise<string[]> {
  const images = await tx.rows<{ image_key: string }>(IMAGES_OF_AUTHOR, [userId]);
  for (const kind of ['event', 'post'] as const)
    await tx.rows(HAND_OVER_COMMENTS[kind], [userId, ...pseudonyms.in(kind)]);
  return images.map(({ image_key }) => image_key);
}
