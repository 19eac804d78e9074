import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Page, sliceOf, type PageQueryDto } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { MediaFiles } from '#platform/media/media-files';
import type { Caller } from '../identity/caller.reader';
import { personOf } from '../identity/person.resource';
import { GalleryPolicy } from './gallery.policy';
import { COUNT_PHOTOS_OF_EVENT, photoOf, PHOTOS_OF_EVENT, type PhotoRow } from './gallery.query';
import { GalleryPhoto } from './gallery-photo.entity';
import { photoResource, type PhotoResource } from './photo.resource';

/** What the list's `meta` says beside the page. */
export interface GalleryMeta {
  /** Whether the caller is allowed to upload at all. */
  can_upload: boolean;
  /** The caller's photos in this gallery. */
  my_photos: number;
  max_per_user: number;
}

/** Looking at galleries and deleting from them (GAL-2, GAL-6). */
@Injectable()
export class GalleryService {
  constructor(
    private readonly database: Database,
    private readonly policy: GalleryPolicy,
    private readonly files: MediaFiles,
    private readonly wire: WireFormat,
  ) {}

  /** Photos of an event the caller sees, newest first. */
  async list(caller: Caller, eventId: number, input: Input<PageQueryDto>): Promise<Page<PhotoResource, GalleryMeta>> {
    const relation = await this.policy.visible(this.database, eventId, caller.id);
    const slice = sliceOf(input.read());
    const rows = await this.database.rows<PhotoRow>(PHOTOS_OF_EVENT, [eventId, slice.limit, slice.offset]);
    const [count] = await this.database.rows<{ total: number; mine: number }>(COUNT_PHOTOS_OF_EVENT, [eventId, caller.id]);
    const photos = rows.map((row) => this.resource(row, caller, relation.organizerId));
    return new Page(photos, count?.total ?? 0, slice, {
      can_upload: await this.policy.mayUpload(this.database, relation, caller.id),
      my_photos: count?.mine ?? 0,
      max_per_user: LIMITS.gallery.per_user,
    });
  }

  async remove(caller: Caller, eventId: number, photoId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { organizerId } = await this.policy.visible(tx, eventId, caller.id);
      const photo = await tx.manager.findOne(GalleryPhoto, { where: { id: photoId, eventId }, lock: { mode: 'pessimistic_write' } });
      if (!photo) throw new Refusal('photo_not_found');
      if (!photo.mayBeDeletedBy(caller.id, organizerId)) throw new Refusal('photo_forbidden');
      await tx.manager.delete(GalleryPhoto, { id: photoId });
      await this.files.doom(tx, [photo.key]);
    });
  }

  private resource(row: PhotoRow, viewer: Caller, organizerId: number): PhotoResource {
    const photo = photoOf(row);
    return photoResource(photo, personOf(row, 'author'), photo.mayBeDeletedBy(viewer.id, organizerId), this.wire);
  }
}
