import { Removal } from '#platform/database/removal';

/** Hides removed groups, shows restored groups again, and deletes removed groups (docs/rules/moderation.md). */
export const GROUP_REMOVAL = new Removal(
  'all_groups',
  'SELECT unnest(ARRAY[avatar_key, cover_key]) AS key FROM all_groups WHERE id = $1',
);
