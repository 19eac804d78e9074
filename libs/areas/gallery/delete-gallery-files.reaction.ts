import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { MediaFiles } from '#platform/media/media-files';
import type { Reaction } from '#platform/signals/signals';
import type { EventDeleted } from '../events/event.signal';
import { PHOTO_KEYS_OF_EVENT } from './gallery.query';

/** Marks the files of an event's photos for deletion. The files are deleted after the commit that deletes the event. */
@Injectable()
export class DeleteGalleryFiles implements Reaction<EventDeleted> {
  constructor(private readonly files: MediaFiles) {}

  async react(tx: Transaction, { eventId }: EventDeleted): Promise<void> {
    const photos = await tx.rows<{ key: string }>(PHOTO_KEYS_OF_EVENT, [eventId]);
    await this.files.markForDeletion(
      tx,
      photos.map(({ key }) => key),
    );
  }
}
