import { Removal } from '#platform/database/removal';

/** How a moderator takes one out of sight and puts it back (docs/rules/moderation.md). */
export const PHOTO_REMOVAL = new Removal('all_gallery_photos', 'SELECT key FROM all_gallery_photos WHERE id = $1');
