import type { Transaction } from '#platform/database/database';
import type { Signals } from '#platform/signals/signals';
import type { Event } from '../event.entity';
import { seatsOf } from '../event-seats';
import { OffersToEnd, SeatsToSettle } from '../event.signal';
import { eventViolations, hasTooFewSeats } from './event.rules';

/**
 * Ends expired offers and gives free seats to the waitlist (JOIN-56, JOIN-58). Call this function before a change, so
 * that expired offers do not affect the rules. Call it again after the change, because the change may have freed seats.
 * The calling code has locked the events. Afterwards, the objects in `events` contain the current counts. Events that
 * have a manual waitlist and no offers are skipped.
 */
export async function settleSeats(tx: Transaction, signals: Signals, events: readonly Event[]): Promise<void> {
  const concerned = events.filter((event) => event.waitlistMode !== 'manual' || event.offersCount > 0);
  if (concerned.length === 0) return;
  const ids = concerned.map(({ id }) => id);
  await signals.raise(tx, new SeatsToSettle(ids));
  const seats = await seatsOf(tx, ids);
  for (const event of concerned) Object.assign(event, seats.get(event.id));
}

/**
 * If the changed `event` has fewer seats than are taken and offered, ends the offers that have expired or that the
 * changed event no longer allows. Throws 422 if the event still has too few seats (JOIN-61). The calling code has
 * locked the event and not yet stored the change. `cancels`: the calling code also cancels the event in this
 * transaction, so no offer remains.
 */
export async function keepOffersWithinSeats(
  tx: Transaction,
  signals: Signals,
  event: Event,
  { cancels = false }: { readonly cancels?: boolean } = {},
): Promise<void> {
  if (!hasTooFewSeats(event)) return;
  await signals.raise(tx, new OffersToEnd(event, cancels));
  Object.assign(event, (await seatsOf(tx, [event.id])).get(event.id));
  eventViolations({ ...event, conflictsWithWaitlist: false, hasNewTimes: false, earliestStart: null }).throwIfAny();
}
