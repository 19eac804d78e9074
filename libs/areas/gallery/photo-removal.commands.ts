import { Removal } from '#platform/database/removal';

/** Hides removed photos, shows restored photos again, and deletes removed photos (docs/rules/moderation.md). */
export const PHOTO_REMOVAL = new Removal('all_gallery_photos', 'SELECT key FROM all_gallery_photos WHERE id = $1');
