import { Removal } from '#platform/database/removal';

/** Hides Puls posts that a moderator removes, and shows restored Puls posts again (docs/rules/moderation.md). */
export const PULS_REMOVAL = new Removal(
  'all_puls_posts',
  'SELECT unnest(ARRAY[image_key, video_key]) AS key FROM all_puls_posts WHERE id = $1',
);
