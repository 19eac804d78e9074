import { Removal } from '#platform/database/removal';

/** Out of sight, and back (docs/rules/moderation.md). */
export const COMMENT_REMOVAL = new Removal('all_comments', 'SELECT image_key AS key FROM all_comments WHERE id = $1 OR root_id = $1');
