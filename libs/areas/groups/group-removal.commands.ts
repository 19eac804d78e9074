import { Removal } from '#platform/database/removal';

/** Removes groups from view, restores them, and later deletes the rows of removed groups (docs/rules/moderation.md). */
export const GROUP_REMOVAL = new Removal(
  'all_groups',
  'SELECT unnest(ARRAY[avatar_key, cover_key]) AS key FROM all_groups WHERE id = $1',
);
