import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Stored } from '#platform/media/media-files';
import type { Picture } from '#platform/media/pictures';
import { PictureUploads } from '#platform/uploads/picture-uploads';
import type { PendingUpload } from '#platform/uploads/uploads';
import type { Caller } from '../identity/caller.reader';
import { GalleryPhotos } from './gallery.photos';
import { GalleryPolicy } from './gallery.policy';
import type { GalleryPhoto } from './gallery-photo.entity';

/** Adds uploaded photos to the gallery of an event (GAL-1, GAL-4, GAL-5). */
@Injectable()
export class GalleryUploadService {
  constructor(
    private readonly database: Database,
    private readonly uploads: PictureUploads,
    private readonly policy: GalleryPolicy,
    private readonly photos: GalleryPhotos,
  ) {}

  /**
   * Adds one to ten photos, either all or none. Returns the new photos in the order of the request. First checks that
   * the caller may upload; only then reads the photos from the request.
   */
  async upload(caller: Caller, eventId: number, pending: PendingUpload): Promise<GalleryPhoto[]> {
    await this.refuseUnlessMayUpload(caller, eventId);
    return this.uploads.receive(pending, (pictures) => this.photos.addPhotos(eventId, caller.id, pictures));
  }

  /** Throws 404, or 403 `banned` or `upload_forbidden`, if the caller may not add photos. */
  refuseUnlessMayUpload(caller: Caller, eventId: number): Promise<void> {
    return this.policy.refuseUnlessMayUpload(this.database, eventId, caller.id);
  }

  /** Like `upload`, for pictures that were sent with a form of the web pages and are already stored. */
  async addStored(caller: Caller, eventId: number, pictures: readonly Stored<Picture>[]): Promise<GalleryPhoto[]> {
    await this.refuseUnlessMayUpload(caller, eventId);
    return this.photos.addPhotos(eventId, caller.id, pictures);
  }
}
