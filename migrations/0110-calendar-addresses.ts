import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the table calendar_addresses: the secret addresses of the accounts' calendars. The encrypted secret is used to
 * show the address to its owner. Requests for a calendar find the row by the hash.
 */
export class CalendarAddresses0110 implements MigrationInterface {
  readonly name = 'CalendarAddresses0000000000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE calendar_addresses (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        secret_sealed text NOT NULL,
        -- SHA-256 of the secret, in hex.
        secret_hash text NOT NULL UNIQUE CHECK (secret_hash ~ '^[0-9a-f]{64}$'),
        created_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE calendar_addresses');
  }
}
