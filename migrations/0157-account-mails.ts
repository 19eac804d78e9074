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
        -- The account that the mail is about, if the account is known when the mail is requested or sent.
        user_id bigint REFERENCES users (id) ON DELETE CASCADE,
        -- For a registration: the name, the Argon2id hash of the password, and the path to which the person continues.
        -- For a reset: the hash of the password that is replaced.
        name text,
        password_hash text,
        next_path text,
        created_at timestamptz NOT NULL,
        -- When the mail was handed to the mail queue, and when it was sent.
        queued_at timestamptz,
        mailed_at timestamptz,
        -- SHA-256 of the secret in the link. The secret is created together with the mail, so a person who reads the
        -- table cannot use the links.
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
