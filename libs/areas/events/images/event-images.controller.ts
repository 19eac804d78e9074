import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import { Answers, AnswersList, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe, partIdPipe } from '#platform/http/public-ids';
import { UploadBody } from '#platform/uploads/upload-body';
import type { UploadRules } from '#platform/uploads/upload-rules';
import type { PendingUpload } from '#platform/uploads/uploads';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { EventImageResource } from '../event.resource';
import { EventImagesService } from './event-images.service';

const { per_request, bytes } = LIMITS.events.images;
const ImageIdPipe = partIdPipe('event_image');
const IMAGES: UploadRules = { files: { images: { min: 1, maxFiles: per_request, maxBytes: bytes } } };

/** Cover images of one's own events (EVT-28, EVT-29, EVT-30). */
@ApiTags('Events')
@Controller('events/:id/images')
export class EventImagesController {
  constructor(private readonly images: EventImagesService) {}

  /** Adds up to ten images; the first of an event without any becomes primary. Answers with the new ones. */
  @Post()
  @AnswersList(EventImageResource, { status: 201 })
  @Refuses('forbidden', 'conflict')
  async uploadEventImages(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @UploadBody(IMAGES) upload: PendingUpload,
  ): Promise<{ data: EventImageResource[] }> {
    return { data: await this.images.add(caller, id, upload) };
  }

  /** Deletes an image and its files. */
  @Delete(':imageId')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteEventImage(@CurrentCaller() caller: Caller, @Param('id', EventIdPipe) id: number, @Param('imageId', ImageIdPipe) imageId: number): Promise<void> {
    await this.images.remove(caller, id, imageId);
  }

  /** Makes an image the primary one, and answers with it. */
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
