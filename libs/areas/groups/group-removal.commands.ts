import { Removal } from '#platform/database/removal';

/** Hides a group that a moderator removes, and shows it again (docs/rules/moderation.md). */
export const GROUP_REMOVAL = new Removal(
  'all_groups',
  'SELECT unnest(ARRAY[avatar_key, cover_key]) AS key FROM all_groups WHERE id = $1',
);
