import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table account_mails: mails with links that confirm an address, set a new password or change an address, and mails
 * (`email_changed`) that notify the former address of the change.
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
        -- Null for a registration, and for a reset until its link is created.
        user_id bigint REFERENCES users (id) ON DELETE CASCADE,
        -- For a registration: the name, the Argon2id hash of the password, and the path to which the person continues.
        -- For email_changed, the name is the name of the account.
        name text,
        password_hash text,
        next_path text,
        created_at timestamptz NOT NULL,
        -- When the mail was added to the mail queue, and when the mail was sent.
        queued_at timestamptz,
        mailed_at timestamptz,
        -- SHA-256 of the secret in the link.
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
