import { LIMITS } from '#contract/limits';
import { IntegerField, LatitudeField, LongitudeField, NumberField, TextField } from '#platform/http/fields';
import type { UploadRules } from '#platform/uploads/upload-rules';

const { puls } = LIMITS;

/** The fields of `POST /puls`, without the files. */
export class CreatePulsDto {
  @LatitudeField({ required: true, description: 'degrees north' })
  latitude: number;

  @LongitudeField({ required: true, description: 'degrees east' })
  longitude: number;

  @TextField({ ...puls.location_name, description: 'name of the place' })
  location_name?: string | null;

  @TextField({ ...puls.body, description: 'HTML; only b, i, u, s, em, strong and br are kept' })
  body?: string | null;
}

/** The multipart body of `POST /puls`. It may contain an image or a video, but not both (puls.drafts.ts). */
export const PULS_UPLOAD: UploadRules<CreatePulsDto> = {
  fields: CreatePulsDto,
  files: { image: { maxBytes: puls.image_bytes }, video: { maxBytes: puls.video_bytes } },
};

/** The query of `GET /puls`. */
export class PulsFeedQueryDto {
  @LatitudeField({ required: true, description: 'centre of the circle: degrees north' })
  lat: number;

  @LongitudeField({ required: true, description: 'centre of the circle: degrees east' })
  lng: number;

  @NumberField({
    min: puls.feed.radius_km.min,
    max: puls.feed.radius_km.max,
    default: puls.feed.radius_km.default,
    description: 'radius in kilometres',
  })
  radius_km?: number;

  @IntegerField({
    min: puls.feed.limit.min,
    max: puls.feed.limit.max,
    default: puls.feed.limit.default,
    description: 'maximum number of posts',
  })
  limit?: number;
}
