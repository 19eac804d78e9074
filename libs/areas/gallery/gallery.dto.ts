import { LIMITS } from '#contract/limits';
import type { UploadRules } from '#platform/uploads/upload-rules';

const { gallery } = LIMITS;

/** The multipart body of POST /events/{id}/photos. The form on the web page sends the same files. */
export const GALLERY_UPLOAD: UploadRules = {
  files: { photos: { min: gallery.per_request.min, maxFiles: gallery.per_request.max, maxBytes: gallery.bytes } },
};
