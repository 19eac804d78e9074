import { Removal } from '#platform/database/removal';

/** Lets a moderator remove a Puls post from view and restore it (docs/rules/moderation.md). */
export const PULS_REMOVAL = new Removal(
  'all_puls_posts',
  'SELECT unnest(ARRAY[image_key, video_key]) AS key FROM all_puls_posts WHERE id = $1',
);
