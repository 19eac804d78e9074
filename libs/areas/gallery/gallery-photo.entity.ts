import { Column, Entity } from 'typeorm';
import { Id, Instant, Ref } from '#platform/database/columns';
import type { Stored } from '#platform/media/media-files';
import type { MediaKey } from '#platform/storage/media-key';
import type { Picture } from '#platform/media/pictures';

/** A photo that the organizer or a participant added to an event's gallery (GAL-3). Photos are never edited. */
@Entity('gallery_photos')
export class GalleryPhoto {
  @Id()
  id: number;

  @Ref({ name: 'event_id' })
  eventId: number;

  @Ref({ name: 'author_id' })
  authorId: number;

  @Column('text')
  key: MediaKey;

  @Column('integer')
  width: number;

  @Column('integer')
  height: number;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  /** Whether the user may delete the photo. Only its author and the event's organizer may (GAL-6). */
  mayBeDeletedBy(userId: number, organizerId: number): boolean {
    return userId === this.authorId || userId === organizerId;
  }
}

/** A new photo, to which the database has not given an id yet. */
export function newPhoto(
  eventId: number,
  authorId: number,
  { key, width, height }: Stored<Picture>,
  createdAt: Date,
): GalleryPhoto {
  return Object.assign(new GalleryPhoto(), { eventId, authorId, key, width, height, createdAt });
}
