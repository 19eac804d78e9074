import { Injectable } from '@nestjs/common';
import type { Queryable, Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { EventAccessPolicy, type EventRelation } from '../events/event-access.policy';
import { lockEventForChange } from '../events/event-locks';

/** Access to an event's expense list (EXP-1). */
@Injectable()
export class BookPolicy {
  constructor(private readonly access: EventAccessPolicy) {}

  /**
   * Returns the relation of the organizer or a confirmed participant. Throws 403 `forbidden` for other people who see
   * the event, 403 `banned` for people who are banned from a public event, and 404 for everyone else.
   */
  async readable(database: Queryable, eventId: number, userId: number): Promise<EventRelation> {
    const relation = await this.access.visible(database, eventId, userId);
    if (!relation.takesPart) throw new Refusal('forbidden');
    return relation;
  }

  /**
   * Throws like `readable`, and locks the event: until the transaction ends, no other transaction changes the event's
   * participations or expense list. The access is checked before the lock, so that people without access cannot lock
   * the event, and again after the lock.
   */
  async lock(tx: Transaction, eventId: number, userId: number): Promise<void> {
    await this.readable(tx, eventId, userId);
    await lockEventForChange(tx, eventId);
    await this.readable(tx, eventId, userId);
  }
}
