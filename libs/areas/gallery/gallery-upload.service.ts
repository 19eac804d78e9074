import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles, type Stored } from '#platform/media/media-files';
import type { Picture } from '#platform/media/pictures';
import { PictureUploads } from '#platform/uploads/picture-uploads';
import type { PendingUpload } from '#platform/uploads/uploads';
import { Clock } from '#platform/time/clock';
import { preventDeletion } from '../events/event-locks';
import type { Caller } from '../identity/caller.reader';
import { lockAccount } from '../identity/users.reader';
import { GalleryPolicy } from './gallery.policy';
import { GalleryPhoto, newPhoto } from './gallery-photo.entity';

/** Adds uploaded photos to the gallery of an event (GAL-1, GAL-4, GAL-5). */
@Injectable()
export class GalleryUploadService {
  constructor(
    private readonly database: Database,
    private readonly uploads: PictureUploads,
    private readonly policy: GalleryPolicy,
    private readonly files: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds one to ten photos, either all or none. Returns the new photos in the order of the request. First checks that
   * the caller may upload; only then reads the photos from the request.
   */
  async upload(caller: Caller, eventId: number, pending: PendingUpload): Promise<GalleryPhoto[]> {
    await this.refuseUnlessMayUpload(caller, eventId);
    return this.uploads.receive(pending, (pictures) => this.addPhotos(eventId, caller.id, pictures));
  }

  /** Throws 404, or 403 `banned` or `upload_forbidden`, if the caller may not add photos. */
  refuseUnlessMayUpload(caller: Caller, eventId: number): Promise<void> {
    return this.policy.refuseUnlessMayUpload(this.database, eventId, caller.id);
  }

  /** Like `upload`, for pictures that were sent with a form of the web pages and are already stored. */
  async addStored(caller: Caller, eventId: number, pictures: readonly Stored<Picture>[]): Promise<GalleryPhoto[]> {
    await this.refuseUnlessMayUpload(caller, eventId);
    return this.addPhotos(eventId, caller.id, pictures);
  }

  /**
   * @throws Refusal 409 `photo_limit_reached` if the author would have more photos at the event than one person may
   * have; also the refusals of `GalleryPolicy`
   */
  private addPhotos(eventId: number, authorId: number, pictures: readonly Stored<Picture>[]): Promise<GalleryPhoto[]> {
    return this.database.transaction(async (tx) => {
      await preventDeletion(tx, eventId);
      // The caller's rights may have changed while the photos were received and decoded, so they are checked again.
      await this.policy.refuseUnlessMayUpload(tx, eventId, authorId);
      await lockAccount(tx, authorId);
      await this.refuseTooMany(tx, eventId, authorId, pictures.length);
      await this.files.keep(
        tx,
        pictures.map(({ key }) => key),
      );
      const now = this.clock.now();
      const photos = pictures.map((picture) => newPhoto(eventId, authorId, picture, now));
      await tx.manager.insert(GalleryPhoto, photos);
      return photos;
    });
  }

  private async refuseTooMany(tx: Transaction, eventId: number, authorId: number, added: number): Promise<void> {
    const existing = await tx.manager.countBy(GalleryPhoto, { eventId, authorId });
    if (existing + added > LIMITS.gallery.per_user) throw new Refusal('photo_limit_reached');
  }
}
