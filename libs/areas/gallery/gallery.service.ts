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
import { LOCK, PHOTOS, PHOTOS_TOTAL, REMOVE, type PhotoOfSomeoneRow, type PhotoRow } from './gallery.query';
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
    const rows = await this.database.rows<PhotoOfSomeoneRow>(PHOTOS, [eventId, slice.limit, slice.offset]);
    const [count] = await this.database.rows<{ total: number; mine: number }>(PHOTOS_TOTAL, [eventId, caller.id]);
    const isOrganizer = relation.organizerId === caller.id;
    const photos = rows.map((row) => this.resource(row, isOrganizer || Number(row.author_id) === caller.id));
    return new Page(photos, count?.total ?? 0, slice, {
      can_upload: await this.policy.mayUpload(this.database, relation, caller.id),
      my_photos: count?.mine ?? 0,
      max_per_user: LIMITS.gallery.per_user,
    });
  }

  async remove(caller: Caller, eventId: number, photoId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { organizerId } = await this.policy.visible(tx, eventId, caller.id);
      const [photo] = await tx.rows<PhotoRow>(LOCK, [eventId, photoId]);
      if (!photo) throw new Refusal('photo_not_found');
      if (organizerId !== caller.id && Number(photo.author_id) !== caller.id) throw new Refusal('photo_forbidden');
      await tx.rows(REMOVE, [photo.id]);
      await this.files.doom(tx, [photo.key]);
    });
  }

  private resource(row: PhotoOfSomeoneRow, canDelete: boolean): PhotoResource {
    return photoResource(row, personOf(row, 'author'), canDelete, this.wire);
  }
}
