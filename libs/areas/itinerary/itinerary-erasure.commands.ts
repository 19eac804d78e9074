import { statement, type Transaction } from '#platform/database/database';

const UNPUBLISH_PLANS = statement(
  'itinerary_unpublish_plans',
  'UPDATE itineraries SET is_public = false WHERE event_id = ANY($1::bigint[]) AND is_public',
);

/** Removes the public pages of these events' plans. Only people who see an event can then read its plan. */
export async function unpublishPlans(tx: Transaction, eventIds: readonly number[]): Promise<void> {
  await tx.rows(UNPUBLISH_PLANS, [eventIds]);
}
