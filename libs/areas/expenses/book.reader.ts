import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { BookPeople } from './books/book-people';
import type { BookedExpense, BookedPayment } from './books/books';
import {
  BOOK_PEOPLE,
  EXPENSES_BY_IDS,
  EXPENSES_OF_EVENT,
  PAYMENTS_BY_IDS,
  PAYMENTS_OF_EVENT,
  type BookPersonRow,
  type ExpenseRow,
  type ExpenseWithPeopleRow,
  type PaymentRow,
  type PaymentWithPeopleRow,
} from './expense.query';
import { expenseResource, type ExpenseResource } from './expense.resource';
import { recordedPaymentResource, type RecordedPaymentResource } from './payments/payment.resource';

/**
 * All entries of an event's expense list, in the order in which they were added. `people` contains everybody whom an
 * entry names or a new entry may name.
 */
export interface Book {
  readonly expenses: readonly BookedExpense[];
  readonly payments: readonly BookedPayment[];
  readonly people: BookPeople;
  /** Empty if the event was deleted or hidden in the meantime. */
  readonly eventTitle: string;
}

@Injectable()
export class BookReader {
  constructor(private readonly wire: WireFormat) {}

  /**
   * Reads the expense list of an event, with three queries for any number of entries. An account may be erased between
   * the queries. Its entries then belong to a pseudonym, so the whole list is read again.
   */
  async book(database: Queryable, eventId: number): Promise<Book> {
    for (;;) {
      const expenseRows = await database.rows<ExpenseRow>(EXPENSES_OF_EVENT, [eventId]);
      const paymentRows = await database.rows<PaymentRow>(PAYMENTS_OF_EVENT, [eventId]);
      const userIds = new Set([
        ...expenseRows.flatMap(({ paid_by, shares }) => [Number(paid_by), ...shares.map(([userId]) => userId)]),
        ...paymentRows.flatMap(({ sender_id, receiver_id }) => [Number(sender_id), Number(receiver_id)]),
      ]);
      const personRows = await database.rows<BookPersonRow & { event_title: string }>(BOOK_PEOPLE, [
        eventId,
        [...userIds],
      ]);
      const people = new BookPeople(personRows, this.wire);
      if (![...userIds].every((userId) => people.includes(userId))) continue;
      return {
        people,
        expenses: expenseRows.map((row) => expenseOf(row, people)),
        payments: paymentRows.map(paymentOf),
        eventTitle: personRows[0]?.event_title ?? '',
      };
    }
  }

  /** Returns the expenses with these ids, in a map by id. The calling code must have checked the rights. */
  async expensesByIds(database: Queryable, expenseIds: readonly number[]): Promise<Map<number, ExpenseResource>> {
    const rows = await database.rows<ExpenseWithPeopleRow>(EXPENSES_BY_IDS, [expenseIds]);
    return new Map(
      rows.map((row) => {
        const people = this.bookPeople(row.people);
        return [Number(row.id), expenseResource(expenseOf(row, people), people, this.wire)];
      }),
    );
  }

  /** Returns the payments with these ids, in a map by id. The calling code must have checked the rights. */
  async paymentsByIds(
    database: Queryable,
    paymentIds: readonly number[],
  ): Promise<Map<number, RecordedPaymentResource>> {
    const rows = await database.rows<PaymentWithPeopleRow>(PAYMENTS_BY_IDS, [paymentIds]);
    return new Map(
      rows.map((row) => [
        Number(row.id),
        recordedPaymentResource(paymentOf(row), this.bookPeople(row.people), this.wire),
      ]),
    );
  }

  private bookPeople(rows: ExpenseWithPeopleRow['people']): BookPeople {
    return new BookPeople(
      rows.map((row) => ({ ...row, iban: null, is_organizer: false, is_confirmed: false })),
      this.wire,
    );
  }

  /** The event's organizer and confirmed participants, and the users with the ids `userIds`. */
  async people(database: Queryable, eventId: number, userIds: readonly number[] = []): Promise<BookPeople> {
    return new BookPeople(await database.rows<BookPersonRow>(BOOK_PEOPLE, [eventId, userIds]), this.wire);
  }
}

function expenseOf(row: ExpenseRow, people: BookPeople): BookedExpense {
  const cents = new Map(row.shares);
  return {
    id: Number(row.id),
    title: row.title,
    cents: row.amount_cents,
    currency: row.currency,
    paidBy: Number(row.paid_by),
    shares: people.idsInSlugOrder.flatMap((userId) =>
      cents.has(userId) ? { userId, cents: cents.get(userId) ?? 0 } : [],
    ),
    createdAt: row.created_at,
  };
}

function paymentOf(row: PaymentRow): BookedPayment {
  return {
    id: Number(row.id),
    senderId: Number(row.sender_id),
    receiverId: Number(row.receiver_id),
    cents: row.amount_cents,
    currency: row.currency,
    createdAt: row.created_at,
  };
}
