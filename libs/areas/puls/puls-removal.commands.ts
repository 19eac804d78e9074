import { Removal } from '#platform/database/removal';

/** Out of sight, and back (docs/rules/moderation.md). */
export const PULS_REMOVAL = new Removal('all_puls_posts', 'SELECT unnest(ARRAY[image_key, video_key]) AS key FROM all_puls_posts WHERE id = $1');
