import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Slice } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import { personOf } from '../identity/person.resource';
import { photoOf, PHOTOS_OF_EVENT, type PhotoRow } from './gallery.query';
import { photoResource, type PhotoResource } from './photo.resource';

/** Photos of an event; the caller has checked their visibility. */
@Injectable()
export class GalleryReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  /** Newest first. */
  async photos(
    viewer: Caller,
    { eventId, organizerId }: { readonly eventId: number; readonly organizerId: number },
    { limit, offset }: Slice,
  ): Promise<PhotoResource[]> {
    const rows = await this.database.rows<PhotoRow>(PHOTOS_OF_EVENT, [eventId, limit, offset]);
    return rows.map((row) => {
      const photo = photoOf(row);
      return photoResource(photo, personOf(row, 'author'), photo.mayBeDeletedBy(viewer.id, organizerId), this.wire);
    });
  }
}
