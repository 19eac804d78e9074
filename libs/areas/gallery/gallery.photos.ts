import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles, type Stored } from '#platform/media/media-files';
import type { Picture } from '#platform/media/pictures';
import { Clock } from '#platform/time/clock';
import { keepEvent } from '../events/event-locks';
import { lockAccount } from '../identity/users.reader';
import { GalleryPolicy } from './gallery.policy';
import { ADD, PHOTOS_OF_AUTHOR, type PhotoRow } from './gallery.query';

/** Adding photos, all or none. */
@Injectable()
export class GalleryPhotos {
  constructor(
    private readonly database: Database,
    private readonly policy: GalleryPolicy,
    private readonly files: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal 409 `photo_limit_reached` when they would be more than one person may have; what `GalleryPolicy` says */
  add(eventId: number, authorId: number, photos: readonly Stored<Picture>[]): Promise<PhotoRow[]> {
    return this.database.transaction(async (tx) => {
      // Receiving and decoding took a while: what was allowed before is asked again, and the event stays until the commit.
      await keepEvent(tx, eventId);
      await this.policy.refuseUnlessMayUpload(tx, eventId, authorId);
      await lockAccount(tx, authorId);
      await this.refuseTooMany(tx, eventId, authorId, photos.length);
      return this.write(tx, eventId, authorId, photos);
    });
  }

  private async refuseTooMany(tx: Transaction, eventId: number, authorId: number, more: number): Promise<void> {
    const [row] = await tx.rows<{ mine: number }>(PHOTOS_OF_AUTHOR, [eventId, authorId]);
    if ((row?.mine ?? 0) + more > LIMITS.gallery.per_user) throw new Refusal('photo_limit_reached');
  }

  private async write(tx: Transaction, eventId: number, authorId: number, photos: readonly Stored<Picture>[]): Promise<PhotoRow[]> {
    const keys = photos.map(({ key }) => key);
    const [widths, heights] = [photos.map(({ width }) => width), photos.map(({ height }) => height)];
    await this.files.keep(tx, keys);
    return tx.rows<PhotoRow>(ADD, [eventId, authorId, keys, widths, heights, this.clock.now()]);
  }
}
