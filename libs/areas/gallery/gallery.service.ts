import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Page, sliceOf, type PageQueryDto } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles } from '#platform/media/media-files';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { GalleryPolicy } from './gallery.policy';
import { GalleryReader } from './gallery.reader';
import { GalleryPhoto } from './gallery-photo.entity';
import type { PhotoResource } from './photo.resource';

/** Additional fields of the list's `meta`. */
export interface GalleryMeta {
  /** Whether the caller may upload (GAL-4). The limit `max_per_user` is not taken into account. */
  can_upload: boolean;
  /** How many photos the caller has in this gallery. */
  my_photos: number;
  max_per_user: number;
}

/** Reads and deletes photos (GAL-2, GAL-6). */
@Injectable()
export class GalleryService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly policy: GalleryPolicy,
    private readonly files: MediaFiles,
    private readonly reader: GalleryReader,
  ) {}

  /** Lists the photos of an event, the newest first. Throws 404 or 403 if the caller may not see the event. */
  async list(caller: Caller, eventId: number, input: Input<PageQueryDto>): Promise<Page<PhotoResource, GalleryMeta>> {
    const relation = await this.access.visible(this.database, eventId, caller.id);
    const slice = sliceOf(input.read());
    const photos = await this.reader.photos(caller, relation, slice);
    const { total, mine } = await this.reader.counts(caller, eventId);
    return new Page(photos, total, slice, {
      can_upload: await this.policy.mayUpload(this.database, relation, caller.id),
      my_photos: mine,
      max_per_user: LIMITS.gallery.per_user,
    });
  }

  async remove(caller: Caller, eventId: number, photoId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { organizerId } = await this.access.visible(tx, eventId, caller.id);
      const photo = await tx.manager.findOne(GalleryPhoto, {
        where: { id: photoId, eventId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!photo) throw new Refusal('photo_not_found');
      if (!photo.mayBeDeletedBy(caller.id, organizerId)) throw new Refusal('photo_forbidden');
      await tx.manager.delete(GalleryPhoto, { id: photoId });
      await this.files.markForDeletion(tx, [photo.key]);
    });
  }
}
