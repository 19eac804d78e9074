import { Removal } from '#platform/database/removal';

/** Removes photos from view, restores them, and later deletes the rows of removed photos (docs/rules/moderation.md). */
export const PHOTO_REMOVAL = new Removal('all_gallery_photos', 'SELECT key FROM all_gallery_photos WHERE id = $1');
