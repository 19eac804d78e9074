import { Removal } from '#platform/database/removal';

/** Hides series that a moderator removes, and shows or deletes the removed series later (docs/rules/moderation.md). */
export const SERIES_REMOVAL = new Removal('all_series');
