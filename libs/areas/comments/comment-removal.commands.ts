import { Removal } from '#platform/database/removal';

/**
 * The decisions of moderators about a comment (docs/rules/moderation.md). Removing the comment hides it and its
 * replies, restoring it shows them again, and deleting it also deletes the replies and all pictures.
 */
export const COMMENT_REMOVAL = new Removal(
  'all_comments',
  'SELECT image_key AS key FROM all_comments WHERE id = $1 OR root_id = $1',
);
