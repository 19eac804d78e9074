import { Removal } from '#platform/database/removal';

/** Lets a moderator remove a comment with its replies from view, and restore it (docs/rules/moderation.md). */
export const COMMENT_REMOVAL = new Removal(
  'all_comments',
  'SELECT image_key AS key FROM all_comments WHERE id = $1 OR root_id = $1',
);
