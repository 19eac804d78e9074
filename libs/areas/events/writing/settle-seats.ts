import type { Transaction } from '#platform/database/database';
import type { Signals } from '#platform/signals/signals';
import type { Event } from '../event.entity';
import { seatsOf } from '../event-seats';
import { SeatsToSettle } from '../event.signal';

/**
 * Before a change, so that it is judged by offers that have not lapsed, and after it, because it may free seats
 * (JOIN-56, JOIN-58). The caller has locked the events; their counts are current afterwards. Without a waitlist that
 * gets seats from the service this does nothing.
 */
export async function settleSeats(tx: Transaction, signals: Signals, events: readonly Event[]): Promise<void> {
  const concerned = events.filter((event) => event.waitlistMode !== 'manual' || event.offersCount > 0);
  if (concerned.length === 0) return;
  const ids = concerned.map(({ id }) => id);
  await signals.raise(tx, new SeatsToSettle(ids));
  const seats = await seatsOf(tx, ids);
  for (const event of concerned) Object.assign(event, seats.get(event.id));
}
