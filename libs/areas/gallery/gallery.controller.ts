import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AnswersList, AnswersNothing, AnswersPage, Refuses } from '#platform/http/answers';
import { EventIdPipe, PhotoIdPipe } from '#platform/http/public-ids';
import { QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { UploadBody } from '#platform/uploads/upload-body';
import type { PendingUpload } from '#platform/uploads/uploads';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { GALLERY_UPLOAD } from './gallery.dto';
import { GalleryUploadService } from './gallery-upload.service';
import { GalleryService, type GalleryMeta } from './gallery.service';
import { PhotoResource, photoResource } from './photo.resource';

@ApiTags('Gallery')
@Controller('events/:id/photos')
export class GalleryController {
  constructor(
    private readonly gallery: GalleryService,
    private readonly uploads: GalleryUploadService,
    private readonly wire: WireFormat,
  ) {}

  /**
   * Lists the photos in the gallery of an event. The newest photo comes first. `meta` shows whether you may add
   * photos, how many you have added, and how many you may have.
   */
  @Get()
  @AnswersPage(PhotoResource, {
    meta: {
      can_upload: { type: 'boolean', description: 'whether the caller may add photos' },
      my_photos: { type: 'integer', description: 'how many photos the caller has in this gallery' },
      max_per_user: { type: 'integer', description: 'how many photos a person may have in this gallery' },
    },
  })
  async listEventPhotos(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<PhotoResource, GalleryMeta>> {
    return this.gallery.list(caller, id, input);
  }

  /**
   * Adds one to ten photos to the gallery of an event: either all or none. A photo has at most 15 MB. The organizer,
   * and the confirmed participants whom the organizer does not block, may add photos while `photos_enabled` is true;
   * otherwise 403 `upload_forbidden`. A person may have at most 10 photos in an event; a request that would exceed this
   * limit is 409 `photo_limit_reached`.
   */
  @Post()
  @AnswersList(PhotoResource, { status: 201, description: 'the new photos' })
  @Refuses('upload_forbidden', 'photo_limit_reached')
  async uploadEventPhotos(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @UploadBody(GALLERY_UPLOAD) upload: PendingUpload,
  ): Promise<{ data: PhotoResource[] }> {
    const added = await this.uploads.upload(caller, id, upload);
    return { data: added.map((photo) => photoResource(photo, caller, true, this.wire)) };
  }

  /** Deletes a photo of an event. Only the person who added the photo and the organizer may delete it. */
  @Delete(':photoId')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('photo_forbidden', 'photo_not_found')
  async deleteEventPhoto(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Param('photoId', PhotoIdPipe) photoId: number,
  ): Promise<void> {
    await this.gallery.remove(caller, id, photoId);
  }
}
