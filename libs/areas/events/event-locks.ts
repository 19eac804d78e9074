import type { FindOptionsWhere } from 'typeorm';
import type { EventStatus } from '#contract/vocabulary';
import { statement, type Transaction } from '#platform/database/database';
import { Event } from './event.entity';

/*
 * The locks on an event's row, in three strengths. Order of all locks: event, group, user; libs/testing/lock-order.ts fails the
 * test in which one is taken out of order. Several events are locked in the order of their ids.
 */
export const EVENT_LOCK = {
  /**
   * The event does not go before the transaction ends; meanwhile it may be changed and joined. For who hangs something on it that
   * a deletion would have to see: photos, posts, a group's interest.
   */
  keep: 'FOR KEY SHARE',
  /**
   * Nobody else changes the event, its participations or comments; whoever only refers to it (`keep`, foreign keys) need not
   * wait. For who counts and then writes: joining through the lock, the waitlist, leaving, comments.
   */
  change: 'FOR NO KEY UPDATE',
  /** As `change`, and nobody refers to it anew: for who writes the row whole or deletes it: organizers and operators. */
  rewrite: 'FOR UPDATE',
} as const;

const KEEP_EVENT = statement(
  'events_keep',
  `SELECT group_id, is_public, status FROM events WHERE id = $1 ${EVENT_LOCK.keep}`,
);
const LOCK_EVENT_FOR_CHANGE = statement(
  'events_lock_for_change',
  `SELECT id FROM events WHERE id = $1 ${EVENT_LOCK.change}`,
);

/** What decides on hanging something on an event. */
export interface KeptEvent {
  readonly group_id: string | null;
  readonly is_public: boolean;
  readonly status: EventStatus;
}

/** Strength `keep`; null for an event that does not exist. */
export async function keepEvent(tx: Transaction, eventId: number): Promise<KeptEvent | null> {
  const [event] = await tx.rows<KeptEvent>(KEEP_EVENT, [eventId]);
  return event ?? null;
}

/** Strength `change`; nothing happens for an event that does not exist. */
export async function lockEventForChange(tx: Transaction, eventId: number): Promise<void> {
  await tx.rows(LOCK_EVENT_FOR_CHANGE, [eventId]);
}

/** Strength `rewrite`: the row as it is now; null for an event that does not exist. */
export function lockEvent(tx: Transaction, eventId: number): Promise<Event | null> {
  return tx.manager.findOne(Event, { where: { id: eventId }, lock: { mode: 'pessimistic_write' } });
}

/** Strength `rewrite` of several, in the order of their ids: the rows as they are now. */
export function lockEvents(tx: Transaction, where: FindOptionsWhere<Event>): Promise<Event[]> {
  return tx.manager.find(Event, { where, order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
}
