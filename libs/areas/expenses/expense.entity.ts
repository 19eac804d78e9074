import { Column, Entity } from 'typeorm';
import type { Currency } from '#contract/vocabulary';
import { Id, Instant, Ref } from '#platform/database/columns';
import type { Transaction } from '#platform/database/database';
import type { Share } from './books/books';
import { equalShares } from './books/money';
import { INSERT_SHARES } from './expense.query';

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
   * The shares, in the order of the people's slugs. The shares add up to the amount. `storeExpense` stores them in
   * their own table, so that they do not change when people leave the event.
   */
  shares: readonly Share[];

  /** Divides the amount equally among these users. If cents remain, the first users pay them, one cent each. */
  divideAmong(userIds: readonly number[]): void {
    const parts = equalShares(this.cents, userIds.length);
    this.shares = userIds.map((userId, index) => ({ userId, cents: parts[index] ?? 0 }));
  }
}

/** Returns a new expense, which has no id and no shares yet. */
export function newExpense(
  fields: Pick<Expense, 'eventId' | 'title' | 'cents' | 'currency' | 'paidBy' | 'createdAt'>,
): Expense {
  return Object.assign(new Expense(), fields, { shares: [] });
}

/** Stores a divided expense with its shares and sets its id. */
export async function storeExpense(tx: Transaction, expense: Expense): Promise<void> {
  await tx.manager.insert(Expense, expense);
  await tx.rows(INSERT_SHARES, [
    expense.id,
    expense.shares.map(({ userId }) => userId),
    expense.shares.map(({ cents }) => cents),
  ]);
}
