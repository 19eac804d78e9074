import { statement, type Transaction } from '#platform/database/database';
import { PSEUDONYMS_SQL, type Pseudonyms } from '../identity/pseudonyms.commands';

const EVENTS_TAKEN_PART_IN = statement(
  'participation_events_taken_part_in',
  'SELECT event_id FROM participations WHERE user_id = $1 UNION SELECT event_id FROM tickets WHERE used_by = $1',
);

/**
 * Deletes the participations of user $1, except bans and confirmed participations in events that have ended. $2 is now.
 * The calling code has locked the events.
 */
const LEAVE_ALL = statement(
  'participation_leave_all',
  `DELETE FROM participations p USING all_events e
    WHERE p.user_id = $1 AND e.id = p.event_id AND p.status <> 'banned' AND (e.over_at > $2 OR p.status <> 'confirmed')
   RETURNING p.event_id, p.status, p.offer_expires_at IS NOT NULL AS had_offer, p.credit_hold_id`,
);
const HAND_OVER_PARTICIPATIONS = statement(
  'participation_hand_over',
  `UPDATE participations p SET user_id = pseudonym.user_id FROM ${PSEUDONYMS_SQL} WHERE p.user_id = $1 AND p.event_id = pseudonym.scope_id`,
);
const HAND_OVER_TICKETS = statement(
  'participation_hand_over_tickets',
  `UPDATE tickets t SET used_by = pseudonym.user_id FROM ${PSEUDONYMS_SQL} WHERE t.used_by = $1 AND t.event_id = pseudonym.scope_id`,
);
const FORGET_GUESSES = statement('participation_forget_guesses', 'DELETE FROM wrong_passwords WHERE user_id = $1');
const END_DOOR_LINKS = statement(
  'participation_end_door_links',
  'DELETE FROM door_links WHERE event_id IN (SELECT id FROM all_events WHERE organizer_id = $1)',
);

/** A participation that `leaveAll` deleted. */
export interface EndedParticipation {
  readonly eventId: number;
  readonly wasConfirmed: boolean;
  readonly hadOffer: boolean;
  readonly holdId: number | null;
}

export async function eventsTakenPartIn(tx: Transaction, userId: number): Promise<number[]> {
  const rows = await tx.rows<{ event_id: string }>(EVENTS_TAKEN_PART_IN, [userId]);
  return rows.map((row) => Number(row.event_id));
}

/**
 * Deletes the user's participations (LEAVE_ALL), the wrong passwords counted for the user, and the door links of the
 * events that the user organizes. The calling code updates the seats and refunds the credits.
 */
export async function leaveAll(tx: Transaction, userId: number, now: Date): Promise<EndedParticipation[]> {
  await tx.rows(FORGET_GUESSES, [userId]);
  await tx.rows(END_DOOR_LINKS, [userId]);
  const rows = await tx.rows<{ event_id: string; status: string; had_offer: boolean; credit_hold_id: string | null }>(
    LEAVE_ALL,
    [userId, now],
  );
  return rows.map((row) => ({
    eventId: Number(row.event_id),
    wasConfirmed: row.status === 'confirmed',
    hadOffer: row.had_offer,
    holdId: row.credit_hold_id === null ? null : Number(row.credit_hold_id),
  }));
}

/**
 * Assigns the remaining rows to pseudonyms: bans, used tickets, and confirmed participations in past events. The rows
 * of `door_marks` follow their participations (ON UPDATE CASCADE).
 */
export async function handOverParticipations(tx: Transaction, userId: number, pseudonyms: Pseudonyms): Promise<void> {
  await tx.rows(HAND_OVER_PARTICIPATIONS, [userId, ...pseudonyms.in('event')]);
  await tx.rows(HAND_OVER_TICKETS, [userId, ...pseudonyms.in('event')]);
}
