import { Removal } from '#platform/database/removal';

/** How a moderator takes one out of sight and puts it back (docs/rules/moderation.md). */
export const PULS_REMOVAL = new Removal(
  'all_puls_posts',
  'SELECT unnest(ARRAY[image_key, video_key]) AS key FROM all_puls_posts WHERE id = $1',
);
