import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles, type Stored } from '#platform/media/media-files';
import type { Picture } from '#platform/media/pictures';
import { Clock } from '#platform/time/clock';
import { preventDeletion } from '../events/event-locks';
import { lockAccount } from '../identity/users.reader';
import { GalleryPolicy } from './gallery.policy';
import { GalleryPhoto, newPhoto } from './gallery-photo.entity';

/** Adds the photos of a request to an event's gallery: either all photos or none. */
@Injectable()
export class GalleryPhotos {
  constructor(
    private readonly database: Database,
    private readonly policy: GalleryPolicy,
    private readonly files: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws Refusal 409 `photo_limit_reached` if the author would have more photos at the event than one person may
   * have; also the refusals of `GalleryPolicy`
   */
  addPhotos(eventId: number, authorId: number, pictures: readonly Stored<Picture>[]): Promise<GalleryPhoto[]> {
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
