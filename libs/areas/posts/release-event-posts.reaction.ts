import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import type { EventDeleted } from '../events/event.signal';
import { RELEASE_POSTS_FROM_EVENT } from './post.query';

/**
 * Sets `event_id` of the posts about an event to null before the event is deleted. The posts remain. The foreign key
 * (`ON DELETE SET NULL`) would do the same, but would not change `updated_at` (EVT-71).
 */
@Injectable()
export class ReleaseEventPosts implements Reaction<EventDeleted> {
  constructor(private readonly clock: Clock) {}

  async react(tx: Transaction, { eventId }: EventDeleted): Promise<void> {
    await tx.rows(RELEASE_POSTS_FROM_EVENT, [eventId, this.clock.now()]);
  }
}
