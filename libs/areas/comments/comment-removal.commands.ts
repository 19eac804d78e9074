import { Removal } from '#platform/database/removal';

/**
 * Hides a comment and its replies when a moderator removes the comment. Shows them again when a moderator restores the
 * comment (docs/rules/moderation.md).
 */
export const COMMENT_REMOVAL = new Removal(
  'all_comments',
  'SELECT image_key AS key FROM all_comments WHERE id = $1 OR root_id = $1',
);
