import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Input } from '#platform/http/input';
import { NO_PRECONDITION, type Precondition } from '#platform/http/precondition';
import type { Stored } from '#platform/media/media-files';
import type { Picture } from '#platform/media/pictures';
import type { UploadRules } from '#platform/uploads/upload-rules';
import type { Caller } from '../identity/caller.reader';
import { UpdateEventDto, type CreateEventDto } from './event.dto';
import type { OwnEventResource } from './event.resource';
import { EventImagesService } from './images/event-images.service';
import { EventCreationService } from './writing/event-creation.service';
import { EventsService } from './writing/events.service';

const { per_request, bytes } = LIMITS.events.images;

/** The limits for the pictures in a form for an event. */
export const EVENT_PICTURES: UploadRules['files'] = { images: { maxFiles: per_request, maxBytes: bytes } };

/** The actions of organizers on the web pages for their events. The refusals are the same as in the API. */
@Injectable()
export class OrganizingCommands {
  constructor(
    private readonly creation: EventCreationService,
    private readonly events: EventsService,
    private readonly images: EventImagesService,
  ) {}

  /**
   * Returns the event with the fields for its organizer. If the caller is not the organizer, throws the refusal of
   * `EventAccessPolicy.organized`.
   */
  show(caller: Caller, eventId: number): Promise<OwnEventResource> {
    return this.events.show(caller, eventId);
  }

  create(caller: Caller, input: Input<CreateEventDto>): Promise<OwnEventResource> {
    return this.creation.create(caller, input);
  }

  update(
    caller: Caller,
    eventId: number,
    input: Input<UpdateEventDto>,
    precondition: Precondition,
  ): Promise<OwnEventResource> {
    return this.events.update(caller, eventId, input, precondition);
  }

  async cancel(caller: Caller, eventId: number): Promise<void> {
    const input = await Input.of(UpdateEventDto, { status: 'cancelled' }, 'json');
    await this.events.update(caller, eventId, input, NO_PRECONDITION);
  }

  remove(caller: Caller, eventId: number): Promise<void> {
    return this.events.remove(caller, eventId, NO_PRECONDITION);
  }

  /** Adds pictures that are already stored. */
  async addImages(caller: Caller, eventId: number, pictures: readonly Stored<Picture>[]): Promise<void> {
    await this.images.addStored(caller, eventId, pictures);
  }

  removeImage(caller: Caller, eventId: number, imageId: number): Promise<void> {
    return this.images.remove(caller, eventId, imageId);
  }

  async makePrimary(caller: Caller, eventId: number, imageId: number): Promise<void> {
    await this.images.makePrimary(caller, eventId, imageId);
  }
}
