import type { FindOptionsWhere } from 'typeorm';
import type { EventStatus } from '#contract/vocabulary';
import { statement, type Transaction } from '#platform/database/database';
import { Event } from './event.entity';

/*
 * The three strengths of locks on an event's row. Locks are taken in the order series, event, group, user. If a test
 * takes locks in another order, libs/testing/lock-order.ts makes the test fail. Several events are locked in the order
 * of their ids. All functions below read the view `events`. This view omits removed events and events of removed
 * series. If the organizer is banned, it also omits the organizer's events that are active and not over.
 */
export const EVENT_LOCK = {
  /**
   * Prevents the event's deletion until the transaction ends. Transactions with the strength `change` do not wait for
   * this lock; transactions with `rewrite` wait. This strength is used to insert rows that refer to the event: photos,
   * posts, a group's interest.
   */
  keep: 'FOR KEY SHARE',
  /**
   * Prevents changes of the event and of its participations, comments and expenses. Transactions that only refer to the
   * event (`keep`, foreign keys) do not wait. This strength is used by operations that read rows and then write:
   * joining an event by request, ticket or offer, the waitlist, leaving, blocking a person who has an offer, comments,
   * payments between participants, the removal of a group's interest, and the jobs `event-changes`, `joined-digest` and
   * `offers-sweep`.
   */
  change: 'FOR NO KEY UPDATE',
  /**
   * Like `change`, and also prevents new references to the event. This strength is used by operations of organizers and
   * operators, because many of them rewrite the whole row or delete it.
   */
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

/** The columns that decide whether a row may be added to the event. */
export interface ReferencedEvent {
  readonly group_id: string | null;
  readonly is_public: boolean;
  readonly status: EventStatus;
}

/** Locks with strength `keep`; null for an event that is not in the view `events`. */
export async function preventDeletion(tx: Transaction, eventId: number): Promise<ReferencedEvent | null> {
  const [event] = await tx.rows<ReferencedEvent>(KEEP_EVENT, [eventId]);
  return event ?? null;
}

/** Locks with strength `change`. Does nothing if the event is not in the view `events`. */
export async function lockEventForChange(tx: Transaction, eventId: number): Promise<void> {
  await tx.rows(LOCK_EVENT_FOR_CHANGE, [eventId]);
}

/** Locks with strength `rewrite` and returns the current row; null for an event that is not in the view `events`. */
export function lockEvent(tx: Transaction, eventId: number): Promise<Event | null> {
  return tx.manager.findOne(Event, { where: { id: eventId }, lock: { mode: 'pessimistic_write' } });
}

/** Locks several events with strength `rewrite`, in the order of their ids, and returns their current rows. */
export function lockEvents(tx: Transaction, where: FindOptionsWhere<Event>): Promise<Event[]> {
  return tx.manager.find(Event, { where, order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
}
