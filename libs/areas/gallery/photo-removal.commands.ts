import { Removal } from '#platform/database/removal';

/** Hides a photo when a moderator removes it, and shows the photo when it is restored (docs/rules/moderation.md). */
export const PHOTO_REMOVAL = new Removal('all_gallery_photos', 'SELECT key FROM all_gallery_photos WHERE id = $1');
