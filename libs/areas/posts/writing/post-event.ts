import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { PublicIds } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { EventAccessPolicy } from '../../events/event-access.policy';
import { preventDeletion } from '../../events/event-locks';

/** The event that a post is about (POST-4). */
@Injectable()
export class PostEvent {
  constructor(
    private readonly access: EventAccessPolicy,
    private readonly ids: PublicIds,
  ) {}

  /**
   * Returns the event's id, or null if no event was sent. Throws 422 on `event_id` for an event that is unknown or that
   * the author neither organizes nor attends. Prevents the event's deletion until the transaction ends.
   */
  async chosenBy(tx: Transaction, authorId: number, sentId: string | null): Promise<number | null> {
    if (sentId === null) return null;
    const eventId = this.ids.decodeEvent(sentId);
    if (eventId === null || !(await this.authorTakesPart(tx, eventId, authorId)))
      throw Refusal.invalid('event_id', 'not_your_event');
    return eventId;
  }

  /** Prevents the event's deletion, and returns whether the author organizes or attends the event. */
  private async authorTakesPart(tx: Transaction, eventId: number, authorId: number): Promise<boolean> {
    await preventDeletion(tx, eventId);
    const relation = await this.access.relation(tx, eventId, authorId);
    return relation?.takesPart ?? false;
  }
}
