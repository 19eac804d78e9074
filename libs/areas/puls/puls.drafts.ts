import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { isDryRun } from '#platform/context/current-request';
import { Refusal } from '#platform/http/refusal';
import { Uploads, type PendingUpload, type Upload } from '#platform/uploads/uploads';
import { Pictures, type Picture } from '#platform/media/pictures';
import { Videos, type InspectedVideo, type Video } from '#platform/media/videos';
import { cleanBodyOrNull } from './puls.body';
import type { CreatePulsDto } from './puls.dto';

const { video_length: seconds, video_side_px: side } = LIMITS.puls;

/** A validated post whose video is not converted yet. */
export interface PulsDraft {
  readonly body: string | null;
  readonly latitude: number;
  readonly longitude: number;
  readonly locationName: string | null;
  readonly picture: Picture | null;
  readonly video: InspectedVideo | null;
}

/** Validates requests for new posts, and converts their videos. */
@Injectable()
export class PulsDrafts {
  /** Authors whose video is being converted in this process, except in dry runs. */
  private readonly converting = new Set<number>();

  constructor(
    private readonly uploads: Uploads,
    private readonly pictures: Pictures,
    private readonly videos: Videos,
  ) {}

  /**
   * Receives and validates the request, and calls `work` with the draft. Deletes the received files afterwards.
   * @throws Refusal 422 `validation_failed` or `post_empty` (PULS-5)
   */
  receive<T>(pending: PendingUpload<CreatePulsDto>, work: (draft: PulsDraft) => Promise<T>): Promise<T> {
    return this.uploads.receive(pending, async (upload) => work(await this.read(upload)));
  }

  /**
   * Converts a video. Until the conversion ends, this process refuses further videos of the author, as if the first
   * post were already active. A dry run is refused in the same way, but its own conversion causes no refusals.
   * @throws Refusal 422 `paid_post_unsupported` while another video of the author is being converted
   */
  async convert(video: InspectedVideo, authorId: number): Promise<Video> {
    if (this.converting.has(authorId)) throw new Refusal('paid_post_unsupported');
    if (isDryRun()) return this.videos.make(video);
    this.converting.add(authorId);
    try {
      return await this.videos.make(video);
    } finally {
      this.converting.delete(authorId);
    }
  }

  /** @throws Refusal 422 `validation_failed` or `post_empty` (PULS-5) */
  async read(upload: Pick<Upload<CreatePulsDto>, 'read' | 'file'>): Promise<PulsDraft> {
    const { latitude, longitude, location_name, ...fields } = upload.read();
    const [image, video] = [upload.file('image'), upload.file('video')];
    if (image && video) throw Refusal.invalid('video', 'not_together', { field: 'image' });
    const body = cleanBodyOrNull(fields.body ?? null);
    if (!image && !video && body === null) throw new Refusal('post_empty');
    return {
      body,
      latitude,
      longitude,
      locationName: location_name ?? null,
      picture: image && (await this.pictures.make(image)),
      video: video && (await this.videos.inspect(video, { seconds, side })),
    };
  }
}
