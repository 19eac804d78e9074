import { Removal } from '#platform/database/removal';

/** Hides a Puls post that a moderator removes, and shows it again (docs/rules/moderation.md). */
export const PULS_REMOVAL = new Removal(
  'all_puls_posts',
  'SELECT unnest(ARRAY[image_key, video_key]) AS key FROM all_puls_posts WHERE id = $1',
);
