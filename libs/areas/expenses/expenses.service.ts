import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { CURRENCIES, type Currency } from '#contract/vocabulary';
import { Database, type Queryable, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { BookPeople } from './books/book-people';
import { balanceOf, booksOf, type BookedExpense } from './books/books';
import type { CreateExpenseDto } from './expense.dto';
import { Expense, newExpense, storeExpense } from './expense.entity';
import { BOOK_PEOPLE, EXPENSES_OF_EVENT, type BookPersonRow, type ExpenseRow } from './expense.query';
import { currencySummaryResource, expenseResource, type CurrencySummaryResource, type ExpenseResource, type ExpensesResource, type PaymentContext } from './expense.resource';
import { toCents } from './books/money';
import { Settlements } from './settlements';

/** An event's shared expenses (EXP-1). */
@Injectable()
export class ExpensesService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly settlements: Settlements,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** The books: for the organizer and confirmed participants, 403 `forbidden` for others who see the event. */
  async show(caller: Caller, eventId: number): Promise<ExpensesResource> {
    const relation = await this.access.visible(this.database, eventId, caller.id);
    if (!relation.takesPart) throw new Refusal('forbidden');
    const rows = await this.database.rows<ExpenseRow>(EXPENSES_OF_EVENT, [eventId]);
    const people = await this.people(this.database, eventId, rows);
    const expenses = rows.map((row) => expenseOf(row, people));
    return {
      expenses: expenses.map((expense) => expenseResource(expense, people, this.wire)),
      summary: await this.summary(expenses, people, { viewerId: caller.id, eventTitle: rows[0]?.event_title ?? '' }),
      participants: people.participants,
      viewer: { can_manage: relation.isOrganizer },
    };
  }

  /** 422 `participant_not_eligible`, 409 `expense_limit_reached`. The event's lock keeps both true until the commit. */
  async addExpense(caller: Caller, eventId: number, input: Input<CreateExpenseDto>): Promise<ExpenseResource> {
    return this.database.transaction(async (tx) => {
      await this.access.lockOrganized(tx, eventId, caller.id);
      const { title, amount, currency, paid_by, shared_with } = input.read();
      const people = await this.people(tx, eventId, []);
      const paidBy = people.payer(paid_by);
      const sharers = people.sharers(shared_with);
      await refuseAboveLimit(tx, eventId);

      const expense = newExpense({ eventId, title, cents: toCents(amount), currency: currency ?? CURRENCIES[0], paidBy, createdAt: this.clock.now() });
      expense.divideAmong(sharers);
      await storeExpense(tx, expense);
      return expenseResource(expense, people, this.wire);
    });
  }

  async remove(caller: Caller, eventId: number, expenseId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.access.lockOrganized(tx, eventId, caller.id);
      const { affected } = await tx.manager.delete(Expense, { id: expenseId, eventId });
      if (!affected) throw new Refusal('not_found');
    });
  }

  private async people(on: Queryable, eventId: number, rows: readonly ExpenseRow[]): Promise<BookPeople> {
    const named = new Set(rows.flatMap(({ paid_by, shares }) => [Number(paid_by), ...shares.map(([userId]) => userId)]));
    return new BookPeople(await on.rows<BookPersonRow>(BOOK_PEOPLE, [eventId, [...named]]), this.wire);
  }

  private async summary(
    expenses: readonly BookedExpense[],
    people: BookPeople,
    context: PaymentContext,
  ): Promise<Partial<Record<Currency, CurrencySummaryResource>>> {
    const summaries = booksOf(expenses, people.inSlugOrder).map(async (books) => {
      const settlement = await this.settlements.settle(books.accounts.map(balanceOf));
      return [books.currency, currencySummaryResource(books, settlement, people, context)] as const;
    });
    return Object.fromEntries(await Promise.all(summaries));
  }
}

async function refuseAboveLimit(tx: Transaction, eventId: number): Promise<void> {
  if ((await tx.manager.countBy(Expense, { eventId })) >= LIMITS.expenses.per_event) throw new Refusal('expense_limit_reached');
}

function expenseOf(row: ExpenseRow, people: BookPeople): BookedExpense {
  const cents = new Map(row.shares);
  return {
    id: Number(row.id),
    title: row.title,
    cents: row.amount_cents,
    currency: row.currency,
    paidBy: Number(row.paid_by),
    shares: people.inSlugOrder.flatMap((userId) => (cents.has(userId) ? { userId, cents: cents.get(userId) ?? 0 } : [])),
    createdAt: row.created_at,
  };
}
