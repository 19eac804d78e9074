import { Removal } from '#platform/database/removal';

/** Out of sight, and back (docs/rules/moderation.md). */
export const PHOTO_REMOVAL = new Removal('all_gallery_photos', 'SELECT key FROM all_gallery_photos WHERE id = $1');
