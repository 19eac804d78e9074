import { Column, Entity } from 'typeorm';
import type { Currency } from '#contract/vocabulary';
import { Id, Instant, KeyRef, Ref } from '#platform/database/columns';
import type { Transaction } from '#platform/database/database';
import { equalShares } from './books/money';

/** A user's share of an expense. The share is stored, so that it does not change when people leave the event. */
@Entity('expense_shares')
export class ExpenseShare {
  @KeyRef({ name: 'expense_id' })
  expenseId: number;

  @KeyRef({ name: 'user_id' })
  userId: number;

  @Column('integer', { name: 'amount_cents' })
  cents: number;
}

/** An amount that one person paid and several people share. Expenses cannot be edited. */
@Entity('expenses')
export class Expense {
  @Id()
  id: number;

  @Ref({ name: 'event_id' })
  eventId: number;

  @Column('text')
  title: string;

  @Column('integer', { name: 'amount_cents' })
  cents: number;

  @Column('text')
  currency: Currency;

  @Ref({ name: 'paid_by' })
  paidBy: number;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  /**
   * The shares, in the order of slugs. They add up to the amount. `storeExpense` stores the shares in their own table.
   */
  shares: ExpenseShare[];

  /** Divides the amount equally among these users. If cents remain, each of the first users pays one of them. */
  divideAmong(userIds: readonly number[]): void {
    const parts = equalShares(this.cents, userIds.length);
    this.shares = userIds.map((userId, at) => Object.assign(new ExpenseShare(), { userId, cents: parts[at] ?? 0 }));
  }
}

/** An expense without id and shares. */
export function newExpense(
  fields: Pick<Expense, 'eventId' | 'title' | 'cents' | 'currency' | 'paidBy' | 'createdAt'>,
): Expense {
  return Object.assign(new Expense(), fields, { shares: [] });
}

/** Stores a divided expense with its shares and sets its id. */
export async function storeExpense(tx: Transaction, expense: Expense): Promise<void> {
  await tx.manager.insert(Expense, expense);
  for (const share of expense.shares) share.expenseId = expense.id;
  await tx.manager.insert(ExpenseShare, expense.shares);
}
