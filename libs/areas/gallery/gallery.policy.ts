import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { EventAccessPolicy, type EventRelation } from '../events/event-access.policy';
import { UsersReader } from '../identity/users.reader';
import { PHOTOS_ENABLED } from './gallery.query';

/** Rights on a gallery (GAL-4, GAL-6). */
@Injectable()
export class GalleryPolicy {
  constructor(
    private readonly access: EventAccessPolicy,
    private readonly users: UsersReader,
  ) {}

  /** The caller's relation to an event whose gallery the caller may see; 404 or 403 `banned` otherwise. */
  visible(on: Queryable, eventId: number, userId: number): Promise<EventRelation> {
    return this.access.visible(on, eventId, userId);
  }

  /** Like `visible`, and 403 `upload_forbidden` for callers who may not add photos. */
  async refuseUnlessMayUpload(on: Queryable, eventId: number, userId: number): Promise<void> {
    const relation = await this.visible(on, eventId, userId);
    if (!(await this.mayUpload(on, relation, userId))) throw new Refusal('upload_forbidden');
  }

  /** The organizer and confirmed participants who are not blocked, while the gallery is enabled. */
  async mayUpload(
    on: Queryable,
    { eventId, organizerId, isOrganizer, takesPart }: EventRelation,
    userId: number,
  ): Promise<boolean> {
    if (!takesPart) return false;
    const [event] = await on.rows<{ photos_enabled: boolean }>(PHOTOS_ENABLED, [eventId]);
    if (!event?.photos_enabled) return false;
    return isOrganizer || !(await this.users.hasBlocked(on, organizerId, userId));
  }
}
