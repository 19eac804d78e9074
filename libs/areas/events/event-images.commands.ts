import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles, type Stored } from '#platform/media/media-files';
import type { Picture } from '#platform/media/pictures';
import { Clock } from '#platform/time/clock';
import { Event, type EventImageSnapshot } from './event.entity';
import { EventImage } from './images/event-image.entity';

const { per_event: MAX_IMAGES } = LIMITS.events.images;

/**
 * The images of events (EVT-29). The event's row contains a copy of the rows of its images, so that responses need
 * only the event's row. Each method updates the copy in the transaction that changes the images. The calling code has
 * locked the event, or has created it in the same transaction.
 */
@Injectable()
export class EventImagesCommands {
  constructor(
    private readonly media: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds stored pictures to the event and returns the new images. The first image of an event becomes primary. Throws
   * 409 `conflict` if the event would have more than 100 images.
   */
  async add(tx: Transaction, event: Event, pictures: readonly Stored<Picture>[]): Promise<EventImageSnapshot[]> {
    if (event.images.length + pictures.length > MAX_IMAGES) throw new Refusal('conflict');
    await this.media.keep(
      tx,
      pictures.map(({ key }) => key),
    );
    const createdAt = this.clock.now();
    const added = pictures.map(({ key, width, height }, n) =>
      Object.assign(new EventImage(), {
        eventId: event.id,
        key,
        width,
        height,
        isPrimary: event.images.length + n === 0,
        createdAt,
      }),
    );
    await tx.manager.insert(EventImage, added);
    await this.copyImagesIntoRow(tx, event);
    return added.map(({ snapshot }) => snapshot);
  }

  /**
   * Deletes an image. Its files are deleted after the commit. If the image was primary, the oldest remaining image
   * becomes primary. Throws 404 if the event has no image with this id.
   */
  async remove(tx: Transaction, event: Event, imageId: number): Promise<void> {
    const image = await this.imageOf(tx, event, imageId);
    await tx.manager.delete(EventImage, { id: image.id });
    if (image.isPrimary) {
      const oldest = await tx.manager.findOne(EventImage, { where: { eventId: event.id }, order: { id: 'ASC' } });
      if (oldest) await tx.manager.update(EventImage, { id: oldest.id }, { isPrimary: true });
    }
    await this.copyImagesIntoRow(tx, event);
    await this.media.markForDeletion(tx, [image.key]);
  }

  /** Makes an image the only primary image, and returns it. Throws 404 if the event has no image with this id. */
  async makePrimary(tx: Transaction, event: Event, imageId: number): Promise<EventImageSnapshot> {
    const image = await this.imageOf(tx, event, imageId);
    if (image.isPrimary) return image.snapshot;
    await tx.manager.update(EventImage, { eventId: event.id, isPrimary: true }, { isPrimary: false });
    await tx.manager.update(EventImage, { id: image.id }, { isPrimary: true });
    await this.copyImagesIntoRow(tx, event);
    return { ...image.snapshot, is_primary: true };
  }

  private async imageOf(tx: Transaction, event: Event, imageId: number): Promise<EventImage> {
    const image = await tx.manager.findOne(EventImage, { where: { id: imageId, eventId: event.id } });
    if (!image) throw new Refusal('not_found');
    return image;
  }

  /** Copies the event's images into the event's row, oldest first. */
  private async copyImagesIntoRow(tx: Transaction, event: Event): Promise<void> {
    const images = await tx.manager.find(EventImage, { where: { eventId: event.id }, order: { id: 'ASC' } });
    event.images = images.map(({ snapshot }) => snapshot);
    event.updatedAt = this.clock.now();
    await tx.manager.update(Event, { id: event.id }, { images: event.images, updatedAt: event.updatedAt });
  }
}
