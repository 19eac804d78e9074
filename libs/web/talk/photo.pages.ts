import { Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GALLERY_UPLOAD } from '#areas/gallery/gallery.dto';
import { GalleryUploadService } from '#areas/gallery/gallery-upload.service';
import { GalleryService } from '#areas/gallery/gallery.service';
import { EventIdPipe, PhotoIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { EventView } from '../public/event-view';
import { redirectTo, type Redirect } from '../redirect';
import type { View } from '../view';

/** The forms with which people add and delete photos on the page of an event. */
@ActingPageController()
export class PhotoPages {
  constructor(
    private readonly formRunner: FormRunner,
    private readonly gallery: GalleryService,
    private readonly uploads: GalleryUploadService,
    private readonly events: EventView,
    private readonly wire: WireFormat,
  ) {}

  @Post('events/:id/photos')
  @CheckForm({ files: GALLERY_UPLOAD.files })
  add(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) eventId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const id = this.wire.id('event', eventId);
    return this.formRunner.run(member, request, {
      action: async (_, pictures) => {
        await this.uploads.addStored(member.caller, eventId, pictures);
        return redirectTo(`/events/${id}#photos`, 'photos_added');
      },
      permit: () => this.uploads.refuseUnlessMayUpload(member.caller, eventId),
      show: (photos) => this.events.show(id, member, { photos }),
    });
  }

  @Post('events/:id/photos/:photoId/delete')
  @CheckForm()
  async remove(
    @CurrentMember() { caller }: Member,
    @Param('id', EventIdPipe) eventId: number,
    @Param('photoId', PhotoIdPipe) photoId: number,
  ): Promise<Redirect> {
    await this.gallery.remove(caller, eventId, photoId);
    return redirectTo(`/events/${this.wire.id('event', eventId)}#photos`, 'photo_deleted');
  }
}
