import { statement, type Transaction } from '#platform/database/database';

const CLOSE_PLANS = statement(
  'itinerary_close',
  'UPDATE itineraries SET is_public = false WHERE event_id = ANY($1::bigint[]) AND is_public',
);

/** Removes the public pages of the plans of these events. Only people who see an event can then read its plan. */
export async function closePlans(tx: Transaction, eventIds: readonly number[]): Promise<void> {
  await tx.rows(CLOSE_PLANS, [eventIds]);
}
