import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables credit_accounts, credit_holds and credit_entries: a double-entry ledger of credits. The amounts of the two
 * entries of a transfer add up to zero.
 */
export class Credits0011 implements MigrationInterface {
  readonly name = 'Credits0000000000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE credit_accounts (
        user_id bigint PRIMARY KEY REFERENCES users (id),
        balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0),
        -- Credits that were paid for events, and are neither released to the organizers nor refunded yet.
        held bigint NOT NULL DEFAULT 0 CHECK (held >= 0)
      );

      -- Payments for events. No foreign key to the event: a payment remains when the event is deleted.
      CREATE TABLE credit_holds (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id bigint NOT NULL,
        user_id bigint NOT NULL REFERENCES users (id),
        amount bigint NOT NULL CHECK (amount > 0),
        status text NOT NULL DEFAULT 'held' CHECK (status IN ('held', 'released', 'refunded')),
        created_at timestamptz NOT NULL,
        settled_at timestamptz,
        CHECK ((status = 'held') = (settled_at IS NULL))
      );
      CREATE UNIQUE INDEX credit_holds_held ON credit_holds (event_id, user_id) WHERE status = 'held';

      CREATE SEQUENCE credit_transfers;
      -- Granted credits come from the account 'issued', which belongs to no user.
      CREATE TABLE credit_entries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        transfer bigint NOT NULL,
        kind text NOT NULL CHECK (kind IN ('grant', 'hold', 'release', 'refund')),
        account text NOT NULL CHECK (account IN ('issued', 'balance', 'held')),
        user_id bigint REFERENCES users (id),
        amount bigint NOT NULL CHECK (amount <> 0),
        hold_id bigint REFERENCES credit_holds (id),
        created_at timestamptz NOT NULL,
        CHECK ((account = 'issued') = (user_id IS NULL))
      );
      CREATE INDEX credit_entries_user ON credit_entries (user_id, id);

      ALTER TABLE participations ADD FOREIGN KEY (credit_hold_id) REFERENCES credit_holds (id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE participations DROP CONSTRAINT participations_credit_hold_id_fkey;
      DROP TABLE credit_entries, credit_holds, credit_accounts;
      DROP SEQUENCE credit_transfers;
    `);
  }
}
