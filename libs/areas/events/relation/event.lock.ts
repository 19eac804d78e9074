import type { Transaction } from '#platform/database/database';
import { Event } from '../event.entity';

/** The event's row, locked: nothing about it races until the transaction ends. Null for an event that does not exist. */
export function lockEvent(tx: Transaction, eventId: number): Promise<Event | null> {
  return tx.manager.findOne(Event, { where: { id: eventId }, lock: { mode: 'pessimistic_write' } });
}
