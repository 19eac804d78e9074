import { Removal } from '#platform/database/removal';

/** How a moderator takes one out of sight and puts it back (docs/rules/moderation.md). */
export const GROUP_REMOVAL = new Removal(
  'all_groups',
  'SELECT unnest(ARRAY[avatar_key, cover_key]) AS key FROM all_groups WHERE id = $1',
);
