import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the tables expenses and expense_shares for the shared expenses of events. A person's share remains when the
 * person leaves the event.
 */
export class Expenses0050 implements MigrationInterface {
  readonly name = 'Expenses0000000000050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE expenses (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id bigint NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        title text NOT NULL,
        amount_cents integer NOT NULL CHECK (amount_cents > 0),
        currency text NOT NULL CHECK (currency IN ('CZK', 'EUR', 'USD')),
        paid_by bigint NOT NULL REFERENCES users (id),
        created_at timestamptz NOT NULL
      );
      CREATE INDEX expenses_event ON expenses (event_id, id);

      CREATE TABLE expense_shares (
        expense_id bigint NOT NULL REFERENCES expenses (id) ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users (id),
        amount_cents integer NOT NULL CHECK (amount_cents >= 0),
        PRIMARY KEY (expense_id, user_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE expense_shares, expenses');
  }
}
