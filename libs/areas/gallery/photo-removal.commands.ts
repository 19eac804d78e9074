import { Removal } from '#platform/database/removal';

/** Lets a moderator remove a photo from view and restore it (docs/rules/moderation.md). */
export const PHOTO_REMOVAL = new Removal('all_gallery_photos', 'SELECT key FROM all_gallery_photos WHERE id = $1');
