import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes of the expenses that a person paid, and of the payments that a person sent. Without them, each change of a
 * bank account reads all expenses and payments. This migration runs outside a transaction, because the indexes are
 * created CONCURRENTLY. Each step can be repeated.
 */
export class BooksOfAPerson0610 implements MigrationInterface {
  readonly name = 'BooksOfAPerson0000000000610';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query('CREATE INDEX CONCURRENTLY expenses_payer ON expenses (paid_by)');
    await runner.query('CREATE INDEX CONCURRENTLY expense_payments_sender ON expense_payments (sender_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS expense_payments_sender');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS expenses_payer');
  }
}
