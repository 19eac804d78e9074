import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mails about accounts and the links in them: confirming an address, setting a new password, changing an address. An
 * account exists only after its address is confirmed, so existing accounts count as confirmed.
 */
export class AccountMails0157 implements MigrationInterface {
  readonly name = 'AccountMails0000000000157';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_mails (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('register', 'reset', 'email', 'email_changed')),
        address text NOT NULL,
        locale text NOT NULL,
        -- Whose account it is about, as far as that is known when it is asked for or sent.
        user_id bigint REFERENCES users (id) ON DELETE CASCADE,
        -- Of an account to be: its name, its password's argon2id, and where it goes on to. Of a reset: the password it replaces.
        name text,
        password_hash text,
        next_path text,
        created_at timestamptz NOT NULL,
        -- Handed to the mail queue; and sent.
        queued_at timestamptz,
        mailed_at timestamptz,
        -- SHA-256 of the link's secret, which is made when the mail is: who reads the table can use none.
        token_hash text UNIQUE,
        expires_at timestamptz,
        used_at timestamptz
      );
      CREATE INDEX account_mails_address ON account_mails (lower(address), created_at);
      CREATE INDEX account_mails_user ON account_mails (user_id);
      CREATE INDEX account_mails_unqueued ON account_mails (id) WHERE queued_at IS NULL;
      CREATE INDEX account_mails_created ON account_mails (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account_mails');
  }
}
