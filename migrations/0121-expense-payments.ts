import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table expense_payments: recorded payments by which people settle the expenses of an event. */
export class ExpensePayments0121 implements MigrationInterface {
  readonly name = 'ExpensePayments0000000000121';
  readonly locks = ['events', 'users'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE expense_payments (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id bigint NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        sender_id bigint NOT NULL REFERENCES users (id),
        receiver_id bigint NOT NULL REFERENCES users (id),
        entered_by bigint NOT NULL REFERENCES users (id),
        amount_cents integer NOT NULL CHECK (amount_cents > 0),
        currency text NOT NULL CHECK (currency IN ('CZK', 'EUR', 'USD')),
        created_at timestamptz NOT NULL,
        CHECK (sender_id <> receiver_id),
        CHECK (entered_by IN (sender_id, receiver_id))
      );
      CREATE INDEX expense_payments_event ON expense_payments (event_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE expense_payments');
  }
}
