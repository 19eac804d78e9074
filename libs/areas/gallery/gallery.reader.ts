import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '#platform/database/database';
import type { Slice } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import { personOf } from '../identity/person.resource';
import {
  COUNT_PHOTOS_OF_EVENT,
  HAS_PUBLIC_PHOTO,
  photoOf,
  PHOTOS_BY_IDS,
  PHOTOS_OF_EVENT,
  type PhotoRow,
} from './gallery.query';
import { photoResource, type PhotoResource } from './photo.resource';

/** Reads photos of galleries. The calling code must have checked that the viewer sees the events of the photos. */
@Injectable()
export class GalleryReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  /** One page of the photos of the event, the newest first. */
  async photos(
    viewer: Caller,
    { eventId, organizerId }: { readonly eventId: number; readonly organizerId: number },
    { limit, offset }: Slice,
  ): Promise<PhotoResource[]> {
    const rows = await this.database.rows<PhotoRow>(PHOTOS_OF_EVENT, [eventId, limit, offset]);
    return rows.map((row) => this.resource(row, viewer, organizerId));
  }

  /** How many photos the event has, and how many of them the viewer added. */
  async counts(viewer: Caller, eventId: number): Promise<{ total: number; mine: number }> {
    const [count] = await this.database.rows<{ total: number; mine: number }>(COUNT_PHOTOS_OF_EVENT, [
      eventId,
      viewer.id,
    ]);
    return count ?? { total: 0, mine: 0 };
  }

  /** Whether the user is the author of a visible photo of a public event. */
  async hasPublicPhoto(database: Queryable, userId: number): Promise<boolean> {
    return (await database.rows(HAS_PUBLIC_PHOTO, [userId])).length > 0;
  }

  /** The visible photos with these ids. The keys of the returned map are the ids. */
  async photosByIds(
    database: Queryable,
    viewer: Caller,
    photoIds: readonly number[],
  ): Promise<Map<number, PhotoResource>> {
    const rows = await database.rows<PhotoRow & { organizer_id: string }>(PHOTOS_BY_IDS, [photoIds]);
    return new Map(rows.map((row) => [Number(row.id), this.resource(row, viewer, Number(row.organizer_id))]));
  }

  private resource(row: PhotoRow, viewer: Caller, organizerId: number): PhotoResource {
    const photo = photoOf(row);
    return photoResource(photo, personOf(row, 'author'), photo.mayBeDeletedBy(viewer.id, organizerId), this.wire);
  }
}
