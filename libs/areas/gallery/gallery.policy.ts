import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { EventAccessPolicy, type EventRelation } from '../events/event-access.policy';
import { UsersReader } from '../identity/users.reader';
import { PHOTOS_ENABLED } from './gallery.query';

/** The right to add photos to a gallery (GAL-4). Everybody who sees the event sees its gallery. */
@Injectable()
export class GalleryPolicy {
  constructor(
    private readonly access: EventAccessPolicy,
    private readonly users: UsersReader,
  ) {}

  /** Throws the errors of `EventAccessPolicy.visible`, and 403 `upload_forbidden` if the user may not add photos. */
  async refuseUnlessMayUpload(database: Queryable, eventId: number, userId: number): Promise<void> {
    const relation = await this.access.visible(database, eventId, userId);
    if (!(await this.mayUpload(database, relation, userId))) throw new Refusal('upload_forbidden');
  }

  /**
   * Whether the user may add photos. While the gallery is disabled, nobody may add photos. Otherwise the organizer and
   * the confirmed participants whom the organizer does not block may add photos.
   */
  async mayUpload(
    database: Queryable,
    { eventId, organizerId, isOrganizer, takesPart }: EventRelation,
    userId: number,
  ): Promise<boolean> {
    if (!takesPart) return false;
    const [event] = await database.rows<{ photos_enabled: boolean }>(PHOTOS_ENABLED, [eventId]);
    if (!event?.photos_enabled) return false;
    return isOrganizer || !(await this.users.hasBlocked(database, organizerId, userId));
  }
}
