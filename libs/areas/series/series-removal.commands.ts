import { Removal } from '#platform/database/removal';

/** Hides a series that a moderator removes. Later, restores or deletes the series (docs/rules/moderation.md). */
export const SERIES_REMOVAL = new Removal('all_series');
