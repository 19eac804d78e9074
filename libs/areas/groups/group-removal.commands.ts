import { Removal } from '#platform/database/removal';

/** Hides a group when a moderator removes it, and shows the group when it is restored (docs/rules/moderation.md). */
export const GROUP_REMOVAL = new Removal(
  'all_groups',
  'SELECT unnest(ARRAY[avatar_key, cover_key]) AS key FROM all_groups WHERE id = $1',
);
