import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { CURRENCIES } from '#contract/vocabulary';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { lockAccountsForShare } from '../identity/users.reader';
import { BookPolicy } from './book.policy';
import { BookReader, type Book } from './book.reader';
import { balanceOf, booksOf } from './books/books';
import { expensesFile } from './books/expenses-file';
import type { CreateExpenseDto } from './expense.dto';
import { Expense, newExpense, storeExpense } from './expense.entity';
import {
  currencySummaryResource,
  expenseResource,
  type ExpenseResource,
  type ExpensesResource,
} from './expense.resource';
import { toCents } from './books/money';
import { SHARERS_OF_EXPENSE } from './expense.query';
import { Settlements } from './settlements';

/** Reads, adds and deletes the shared expenses of an event (EXP-1). */
@Injectable()
export class ExpensesService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly policy: BookPolicy,
    private readonly reader: BookReader,
    private readonly settlements: Settlements,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the expense list to the organizer and confirmed participants. Throws 403 `forbidden` for other people who
   * see the event, and 403 `banned` or 404 for people who do not see it.
   */
  async show(caller: Caller, eventId: number): Promise<ExpensesResource> {
    const relation = await this.policy.readable(this.database, eventId, caller.id);
    const book = await this.reader.book(this.database, eventId);
    return {
      expenses: book.expenses.map((expense) => expenseResource(expense, book.people, this.wire)),
      summary: await this.summary(book, caller),
      participants: book.people.participants,
      viewer: { can_manage: relation.isOrganizer },
    };
  }

  /** The expense list as CSV. The rights are the same as for `show`. */
  async file(caller: Caller, eventId: number): Promise<string> {
    await this.policy.readable(this.database, eventId, caller.id);
    return expensesFile(await this.reader.book(this.database, eventId), this.wire);
  }

  /**
   * Throws 422 `participant_not_eligible` if the payer or a sharer is neither the organizer nor confirmed (EXP-4), and
   * 409 `expense_limit_reached` if the event has the maximum number of expenses (EXP-5). The lock of the event keeps
   * both checks valid until the commit.
   */
  async addExpense(caller: Caller, eventId: number, input: Input<CreateExpenseDto>): Promise<ExpenseResource> {
    return this.database.transaction(async (tx) => {
      await this.access.lockOrganized(tx, eventId, caller.id);
      const { title, amount, currency, paid_by, shared_with } = input.read();
      const people = await this.reader.people(tx, eventId);
      const paidBy = people.payer(paid_by);
      const sharers = people.sharers(shared_with);
      await refuseAboveLimit(tx, eventId);

      const expense = newExpense({
        eventId,
        title,
        cents: toCents(amount),
        currency: currency ?? CURRENCIES[0],
        paidBy,
        createdAt: this.clock.now(),
      });
      expense.divideAmong(sharers);
      await lockAccountsForShare(tx, [paidBy]);
      await storeExpense(tx, expense);
      return expenseResource(expense, people, this.wire);
    });
  }

  async remove(caller: Caller, eventId: number, expenseId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.access.lockOrganized(tx, eventId, caller.id);
      const sharers = await tx.rows<{ user_id: string }>(SHARERS_OF_EXPENSE, [expenseId, eventId]);
      await lockAccountsForShare(
        tx,
        sharers.map(({ user_id }) => Number(user_id)),
      );
      const { affected } = await tx.manager.delete(Expense, { id: expenseId, eventId });
      if (!affected) throw new Refusal('not_found');
    });
  }

  private async summary(
    { expenses, payments, people, eventTitle }: Book,
    caller: Caller,
  ): Promise<ExpensesResource['summary']> {
    const context = { viewerId: caller.id, eventTitle };
    const summaries = booksOf(expenses, payments, people.idsInSlugOrder).map(async (currencyBook) => {
      const settlement = await this.settlements.settle(currencyBook.accounts.map(balanceOf));
      return [
        currencyBook.currency,
        currencySummaryResource(currencyBook, settlement, people, context, this.wire),
      ] as const;
    });
    return Object.fromEntries(await Promise.all(summaries));
  }
}

async function refuseAboveLimit(tx: Transaction, eventId: number): Promise<void> {
  if ((await tx.manager.countBy(Expense, { eventId })) >= LIMITS.expenses.per_event)
    throw new Refusal('expense_limit_reached');
}
