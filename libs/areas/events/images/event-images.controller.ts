import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersList, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe, ImageIdPipe } from '#platform/http/public-ids';
import { UploadBody } from '#platform/uploads/upload-body';
import type { PendingUpload } from '#platform/uploads/uploads';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { EventImageResource } from '../event.resource';
import { ADDED_IMAGES, EventImagesService } from '../event-images.service';

/** Cover images of the caller's own events (EVT-28, EVT-29, EVT-30). */
@ApiTags('Events')
@Controller('events/:id/images')
export class EventImagesController {
  constructor(private readonly images: EventImagesService) {}

  /**
   * Adds up to ten cover images to an event. For the organizer only. Each picture has at most 5 MB. Either all pictures
   * are added or none. If the event would have more than 100 images, the answer is 409 `conflict`. The first image of
   * an event becomes the primary one. The answer contains the new images. The event has a new version afterwards: read
   * the event again before you send its `ETag` in `If-Match`.
   */
  @Post()
  @AnswersList(EventImageResource, { status: 201 })
  @Refuses('forbidden', 'conflict')
  async uploadEventImages(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @UploadBody({ files: ADDED_IMAGES }) upload: PendingUpload,
  ): Promise<{ data: EventImageResource[] }> {
    return { data: await this.images.add(caller, id, upload) };
  }

  /**
   * Deletes a cover image of an event. For the organizer only. If the deleted image was the primary one, the oldest
   * remaining image becomes primary.
   */
  @Delete(':imageId')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteEventImage(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Param('imageId', ImageIdPipe) imageId: number,
  ): Promise<void> {
    await this.images.remove(caller, id, imageId);
  }

  /** Makes an image the primary one of its event. For the organizer only. The answer is that image. */
  @Post(':imageId/primary')
  @HttpCode(200)
  @Answers(EventImageResource)
  @Refuses('forbidden')
  async setPrimaryEventImage(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Param('imageId', ImageIdPipe) imageId: number,
  ): Promise<One<EventImageResource>> {
    return one(await this.images.makePrimary(caller, id, imageId));
  }
}
