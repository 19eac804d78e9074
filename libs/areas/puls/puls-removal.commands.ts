import { Removal } from '#platform/database/removal';

/**
 * Removes Puls posts from view, restores them, and later deletes the rows of removed Puls posts
 * (docs/rules/moderation.md).
 */
export const PULS_REMOVAL = new Removal(
  'all_puls_posts',
  'SELECT unnest(ARRAY[image_key, video_key]) AS key FROM all_puls_posts WHERE id = $1',
);
