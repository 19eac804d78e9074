import { statement, type Transaction } from '#platform/database/database';
import type { EventChanges } from './event.changes';

const EVENTS_WITH_WAITLIST = statement(
  'events_with_waitlist',
  `SELECT DISTINCT event_id FROM participations WHERE event_id = ANY($1::bigint[]) AND status = 'waitlisted'`,
);

/**
 * The events among `eventIds` that have waitlist entries. The calling code has locked the events. Only a change to
 * join_mode=request depends on waitlist entries, so the result is empty for all other changes.
 */
export async function eventsWithWaitlistEntries(
  tx: Transaction,
  eventIds: readonly number[],
  changes: EventChanges,
): Promise<ReadonlySet<number>> {
  if (changes.join_mode !== 'request') return new Set();
  const rows = await tx.rows<{ event_id: string }>(EVENTS_WITH_WAITLIST, [eventIds]);
  return new Set(rows.map(({ event_id }) => Number(event_id)));
}
