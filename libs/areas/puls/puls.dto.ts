import { LIMITS } from '#contract/limits';
import { IntegerField, LatitudeField, LongitudeField, NumberField, TextField } from '#platform/http/fields';
import type { UploadRules } from '#platform/uploads/upload-rules';

const { puls } = LIMITS;

/** Text fields of POST /puls. */
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

/** The multipart body of POST /puls: at most one of image and video. */
export const PULS_UPLOAD: UploadRules<CreatePulsDto> = {
  fields: CreatePulsDto,
  files: { image: { maxBytes: puls.image_bytes }, video: { maxBytes: puls.video_bytes } },
};

/** Query of GET /puls. */
export class PulsFeedQueryDto {
  @LatitudeField({ required: true, description: 'degrees north of the centre of the circle' })
  lat: number;

  @LongitudeField({ required: true, description: 'degrees east of the centre of the circle' })
  lng: number;

  @NumberField({
    min: puls.feed.radius_km.min,
    max: puls.feed.radius_km.max,
    default: puls.feed.radius_km.default,
    description: 'kilometres',
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
