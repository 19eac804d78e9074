import { Removal } from '#platform/database/removal';

/** How a moderator takes one out of sight, with its replies, and puts it back (docs/rules/moderation.md). */
export const COMMENT_REMOVAL = new Removal(
  'all_comments',
  'SELECT image_key AS key FROM all_comments WHERE id = $1 OR root_id = $1',
);
