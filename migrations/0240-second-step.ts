import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables for the second step after the password (STEP): totp_secrets, passkeys, recovery_codes, half_sessions,
 * second_step_tries and used_challenges.
 */
export class SecondStep0240 implements MigrationInterface {
  readonly name = 'SecondStep0000000000240';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE totp_secrets (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        secret_sealed text NOT NULL,
        created_at timestamptz NOT NULL,
        -- When the first code was accepted. Before that, the service asks for no codes.
        confirmed_at timestamptz,
        -- The number of the 30-second period of the last accepted code. Codes of this period and of earlier periods are
        -- refused.
        used_step bigint
      );

      CREATE TABLE passkeys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        credential_id text NOT NULL UNIQUE,
        -- The key in COSE format.
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz
      );
      CREATE INDEX passkeys_user ON passkeys (user_id, id);

      -- Using a code deletes its row.
      CREATE TABLE recovery_codes (
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        code_hash text NOT NULL,
        PRIMARY KEY (user_id, code_hash)
      );

      -- People who have entered their password but have not completed the second step.
      CREATE TABLE half_sessions (
        key_hash text PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        -- SHA-256 of the hash of the password. A new password makes the row invalid.
        password_seen text NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX half_sessions_user ON half_sessions (user_id);
      CREATE INDEX half_sessions_expiry ON half_sessions (expires_at);

      CREATE TABLE second_step_tries (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        tried_at timestamptz[] NOT NULL
      );

      -- Challenges for which a response was sent, valid or not. No challenge is accepted twice.
      CREATE TABLE used_challenges (
        challenge text PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX used_challenges_expiry ON used_challenges (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE used_challenges, second_step_tries, half_sessions, recovery_codes, passkeys, totp_secrets',
    );
  }
}
