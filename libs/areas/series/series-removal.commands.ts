import { Removal } from '#platform/database/removal';

/** Lets a moderator remove a series from view and restore it (docs/rules/moderation.md). */
export const SERIES_REMOVAL = new Removal('all_series');
