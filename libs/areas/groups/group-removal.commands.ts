import { Removal } from '#platform/database/removal';

/** Hides groups that a moderator removes, and shows restored groups again (docs/rules/moderation.md). */
export const GROUP_REMOVAL = new Removal(
  'all_groups',
  'SELECT unnest(ARRAY[avatar_key, cover_key]) AS key FROM all_groups WHERE id = $1',
);
