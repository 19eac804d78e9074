import { statement, type Transaction } from '#platform/database/database';
import { PSEUDONYMS_SQL, type Pseudonyms } from '../identity/pseudonyms.commands';

const EVENTS_OF_INTERESTS = statement(
  'group_interests_events_of',
  'SELECT DISTINCT event_id FROM group_interests WHERE added_by = $1',
);
const HAND_OVER_INTERESTS = statement(
  'group_interests_hand_over',
  `UPDATE group_interests i SET added_by = pseudonym.user_id FROM ${PSEUDONYMS_SQL} WHERE i.added_by = $1 AND i.event_id = pseudonym.scope_id`,
);

/**
 * Returns the ids of the events in the interests that the person has added. An interest links a group with an event
 * (GRP-21).
 */
export async function eventsOfInterests(tx: Transaction, userId: number): Promise<number[]> {
  return (await tx.rows<{ event_id: string }>(EVENTS_OF_INTERESTS, [userId])).map((row) => Number(row.event_id));
}

/**
 * Replaces the deleted account in the interests that it has added. In each interest, the account is replaced by its
 * pseudonym at the event of the interest. The interests remain.
 */
export async function handOverInterests(tx: Transaction, userId: number, pseudonyms: Pseudonyms): Promise<void> {
  await tx.rows(HAND_OVER_INTERESTS, [userId, ...pseudonyms.in('event')]);
}
