import { statement, type Transaction } from '#platform/database/database';
import { PSEUDONYMS_SQL, type Pseudonyms } from '../identity/pseudonyms.commands';

const EVENTS_WITH_PERSON_IN_BOOKS = statement(
  'expenses_events_with_person',
  `SELECT event_id FROM expenses WHERE paid_by = $1
   UNION SELECT e.event_id FROM expense_shares s JOIN expenses e ON e.id = s.expense_id WHERE s.user_id = $1
   UNION SELECT event_id FROM expense_payments WHERE $1 IN (sender_id, receiver_id)`,
);
const EVENTS_WITH_BOOK_ENTRIES = statement(
  'expenses_events_with_entries',
  'SELECT event_id FROM expenses WHERE event_id = ANY($1::bigint[]) UNION SELECT event_id FROM expense_payments WHERE event_id = ANY($1::bigint[])',
);
const HAND_OVER_EXPENSES = statement(
  'expenses_hand_over',
  `UPDATE expenses e SET paid_by = pseudonym.user_id FROM ${PSEUDONYMS_SQL} WHERE e.paid_by = $1 AND e.event_id = pseudonym.scope_id`,
);
const HAND_OVER_SHARES = statement(
  'expenses_hand_over_shares',
  `UPDATE expense_shares s SET user_id = pseudonym.user_id FROM expenses e, ${PSEUDONYMS_SQL} WHERE s.user_id = $1 AND e.id = s.expense_id AND e.event_id = pseudonym.scope_id`,
);
const HAND_OVER_PAYMENTS = statement(
  'expenses_hand_over_payments',
  `UPDATE expense_payments p SET sender_id = CASE p.sender_id WHEN $1 THEN pseudonym.user_id ELSE p.sender_id END,
          receiver_id = CASE p.receiver_id WHEN $1 THEN pseudonym.user_id ELSE p.receiver_id END, entered_by = CASE p.entered_by WHEN $1 THEN pseudonym.user_id ELSE p.entered_by END
     FROM ${PSEUDONYMS_SQL} WHERE $1 IN (p.sender_id, p.receiver_id) AND p.event_id = pseudonym.scope_id`,
);

const idsOf = (rows: readonly { readonly event_id: string }[]): number[] =>
  rows.map(({ event_id }) => Number(event_id));

/** Returns the ids of the events whose books (expenses and payments) contain the person. */
export async function eventsWithPersonInBooks(tx: Transaction, userId: number): Promise<number[]> {
  return idsOf(await tx.rows<{ event_id: string }>(EVENTS_WITH_PERSON_IN_BOOKS, [userId]));
}

/** Returns the ids of the given events whose books are not empty. */
export async function eventsWithBookEntries(tx: Transaction, eventIds: readonly number[]): Promise<number[]> {
  return idsOf(await tx.rows<{ event_id: string }>(EVENTS_WITH_BOOK_ENTRIES, [eventIds]));
}

/** Replaces an erased account by its pseudonyms in all entries of books; amounts and balances do not change. */
export async function handOverBooks(tx: Transaction, userId: number, pseudonyms: Pseudonyms): Promise<void> {
  for (const sql of [HAND_OVER_EXPENSES, HAND_OVER_SHARES, HAND_OVER_PAYMENTS])
    await tx.rows(sql, [userId, ...pseudonyms.in('event')]);
}
