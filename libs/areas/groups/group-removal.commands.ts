import { Removal } from '#platform/database/removal';

/** Lets a moderator remove a group from view and restore it (docs/rules/moderation.md). */
export const GROUP_REMOVAL = new Removal(
  'all_groups',
  'SELECT unnest(ARRAY[avatar_key, cover_key]) AS key FROM all_groups WHERE id = $1',
);
