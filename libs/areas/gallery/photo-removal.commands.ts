import { Removal } from '#platform/database/removal';

/** Hides a photo that a moderator removes, and shows it again (docs/rules/moderation.md). */
export const PHOTO_REMOVAL = new Removal('all_gallery_photos', 'SELECT key FROM all_gallery_photos WHERE id = $1');
