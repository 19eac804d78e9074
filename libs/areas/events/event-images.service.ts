import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import type { Stored } from '#platform/media/media-files';
import type { Picture } from '#platform/media/pictures';
import { PictureUploads } from '#platform/uploads/picture-uploads';
import type { UploadRules } from '#platform/uploads/upload-rules';
import type { PendingUpload } from '#platform/uploads/uploads';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import { eventImageResource, type EventImageResource } from './event.resource';
import { EventAccessPolicy } from './event-access.policy';
import { EventImagesCommands } from './event-images.commands';

const { per_request, bytes } = LIMITS.events.images;
const IMAGES = { maxFiles: per_request, maxBytes: bytes };

/** The images that are sent together with a new event. */
export const IMAGES_OF_NEW_EVENT: UploadRules['files'] = { images: IMAGES };
/** The images that are added to an event: at least one. */
export const ADDED_IMAGES: UploadRules['files'] = { images: { ...IMAGES, min: 1 } };

/** Use cases of organizers for the cover images of their events (EVT-28). */
@Injectable()
export class EventImagesService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly uploads: PictureUploads,
    private readonly images: EventImagesCommands,
    private readonly wire: WireFormat,
  ) {}

  /** Reads the files only after checking that the caller organizes the event. Stores either all files or no file. */
  async add(caller: Caller, eventId: number, upload: PendingUpload): Promise<EventImageResource[]> {
    await this.access.organized(this.database, eventId, caller.id);
    return this.uploads.receive(upload, (pictures) => this.addStored(caller, eventId, pictures));
  }

  /** Adds pictures whose files are already stored. */
  async addStored(
    caller: Caller,
    eventId: number,
    pictures: readonly Stored<Picture>[],
  ): Promise<EventImageResource[]> {
    return this.database.transaction(async (tx) => {
      const event = await this.access.lockOrganized(tx, eventId, caller.id);
      const added = await this.images.add(tx, event, pictures);
      return added.map((image) => eventImageResource(image, event, this.wire));
    });
  }

  async remove(caller: Caller, eventId: number, imageId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const event = await this.access.lockOrganized(tx, eventId, caller.id);
      await this.images.remove(tx, event, imageId);
    });
  }

  async makePrimary(caller: Caller, eventId: number, imageId: number): Promise<EventImageResource> {
    return this.database.transaction(async (tx) => {
      const event = await this.access.lockOrganized(tx, eventId, caller.id);
      return eventImageResource(await this.images.makePrimary(tx, event, imageId), event, this.wire);
    });
  }
}
