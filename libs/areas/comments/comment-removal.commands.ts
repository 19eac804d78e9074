import { Removal } from '#platform/database/removal';

/** Out of sight, and back (docs/rules/moderation.md). */
export const COMMENT_REMOVAL = new Removal('all_comments');
