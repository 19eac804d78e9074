import { Removal } from '#platform/database/removal';

/** Hides a series that a moderator removes, and restores or deletes this series later (docs/rules/moderation.md). */
export const SERIES_REMOVAL = new Removal('all_series');
