import { Removal } from '#platform/database/removal';

/** Hides a series that a moderator removes, and shows it again (docs/rules/moderation.md). */
export const SERIES_REMOVAL = new Removal('all_series');
