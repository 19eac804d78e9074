import { Removal } from '#platform/database/removal';

/**
 * The decisions of moderators about a comment (docs/rules/moderation.md): to remove the comment hides it and its
 * replies, to restore the comment shows them again, and to delete the comment also deletes the replies and all pictures.
 */
export const COMMENT_REMOVAL = new Removal(
  'all_comments',
  'SELECT image_key AS key FROM all_comments WHERE id = $1 OR root_id = $1',
);
