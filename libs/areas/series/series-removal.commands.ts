import { Removal } from '#platform/database/removal';

/** How a moderator takes one out of sight and puts it back (docs/rules/moderation.md). */
export const SERIES_REMOVAL = new Removal('all_series');
