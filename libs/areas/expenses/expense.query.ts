import type { Currency } from '#contract/vocabulary';
import { statement } from '#platform/database/database';
import { personColumns, type PersonRow } from '../identity/person.resource';

/** An expense with its shares. */
export interface ExpenseRow {
  id: string;
  title: string;
  amount_cents: number;
  currency: Currency;
  paid_by: string;
  created_at: Date;
  /** Pairs of user id and cents. */
  shares: [number, number][];
}

/** The expenses of a visible event in the order of entry, with their shares. */
export const EXPENSES_OF_EVENT = statement(
  'expenses_of_event',
  `SELECT x.id, x.title, x.amount_cents, x.currency, x.paid_by, x.created_at, s.shares
     FROM expenses x
     JOIN events e ON e.id = x.event_id
     JOIN LATERAL (
       SELECT json_agg(json_build_array(s.user_id, s.amount_cents)) AS shares FROM expense_shares s WHERE s.expense_id = x.id
     ) s ON true
    WHERE x.event_id = $1
    ORDER BY x.id`,
);

/**
 * Stores the shares of expense $1. $2: the users. $3: the cents of each user. The values are arrays, because the number
 * of a statement's parameters is limited.
 */
export const INSERT_SHARES = statement(
  'expenses_insert_shares',
  `INSERT INTO expense_shares (expense_id, user_id, amount_cents)
   SELECT $1, user_id, cents FROM unnest($2::bigint[], $3::integer[]) AS share (user_id, cents)`,
);

/** The people who share expense $1 of event $2. */
export const SHARERS_OF_EXPENSE = statement(
  'expenses_sharers',
  `SELECT s.user_id FROM expense_shares s JOIN expenses x ON x.id = s.expense_id WHERE x.id = $1 AND x.event_id = $2`,
);

/** An expense. `people`: the payer and all people who share the expense, ordered by slug. */
export interface ExpenseWithPeopleRow extends ExpenseRow {
  people: Omit<BookPersonRow, 'is_organizer' | 'is_confirmed' | 'iban'>[];
}

const PERSON_AS_JSON =
  "json_build_object('id', u.id::text, 'user_name', u.name, 'user_nickname', u.nickname, 'user_slug', u.slug, 'user_avatar_key', u.avatar_key)";

/** The expenses $1 with their shares and people. */
export const EXPENSES_BY_IDS = statement(
  'expenses_by_ids',
  `SELECT x.id, x.title, x.amount_cents, x.currency, x.paid_by, x.created_at, s.shares,
          (SELECT json_agg(${PERSON_AS_JSON} ORDER BY u.slug COLLATE "C") FROM users u
            WHERE u.id IN (SELECT x.paid_by UNION ALL SELECT user_id FROM expense_shares WHERE expense_id = x.id)) AS people
     FROM expenses x
     JOIN LATERAL (
       SELECT json_agg(json_build_array(s.user_id, s.amount_cents)) AS shares FROM expense_shares s WHERE s.expense_id = x.id
     ) s ON true
    WHERE x.id = ANY($1)`,
);

/** A payment between two people. */
export interface PaymentRow {
  id: string;
  sender_id: string;
  receiver_id: string;
  amount_cents: number;
  currency: Currency;
  created_at: Date;
}

/** The payments of a visible event in the order of entry. */
export const PAYMENTS_OF_EVENT = statement(
  'expenses_payments_of_event',
  `SELECT y.id, y.sender_id, y.receiver_id, y.amount_cents, y.currency, y.created_at
     FROM expense_payments y JOIN events e ON e.id = y.event_id
    WHERE y.event_id = $1
    ORDER BY y.id`,
);

/** A payment. `people`: the sender and the receiver, in any order. */
export interface PaymentWithPeopleRow extends PaymentRow {
  people: ExpenseWithPeopleRow['people'];
}

/** The payments $1 with their people. */
export const PAYMENTS_BY_IDS = statement(
  'expenses_payments_by_ids',
  `SELECT y.id, y.sender_id, y.receiver_id, y.amount_cents, y.currency, y.created_at,
          (SELECT json_agg(${PERSON_AS_JSON}) FROM users u WHERE u.id IN (y.sender_id, y.receiver_id)) AS people
     FROM expense_payments y WHERE y.id = ANY($1)`,
);

/** A person named in an expense or a payment of an event, or a person whom a new expense or payment may name. */
export interface BookPersonRow extends PersonRow<'user'> {
  id: string;
  iban: string | null;
  is_organizer: boolean;
  is_confirmed: boolean;
}

/**
 * The organizer and confirmed participants of event $1, and the users $2 (even if they have left), ordered by slug.
 * Each row also has the title of the event.
 */
export const BOOK_PEOPLE = statement(
  'expenses_book_people',
  `SELECT u.id, u.iban, ${personColumns('u', 'user')},
          u.id = e.organizer_id AS is_organizer, coalesce(p.status = 'confirmed', false) AS is_confirmed, e.title AS event_title
     FROM (SELECT organizer_id AS id FROM events WHERE id = $1
           UNION SELECT user_id FROM participations WHERE event_id = $1 AND status = 'confirmed'
           UNION SELECT unnest($2::bigint[])) person
     JOIN users u ON u.id = person.id
     JOIN events e ON e.id = $1
     LEFT JOIN participations p ON p.event_id = $1 AND p.user_id = u.id
    ORDER BY u.slug COLLATE "C"`,
);
