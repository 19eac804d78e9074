import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables users, tokens, and user_blocks (people whom a user blocks). */
export class Identity0004 implements MigrationInterface {
  readonly name = 'Identity0000000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        slug text NOT NULL UNIQUE,
        name text NOT NULL,
        nickname text,
        email text,
        password_hash text,
        locale text NOT NULL DEFAULT 'cs',
        timezone text NOT NULL DEFAULT 'Europe/Prague',
        birth_date date,
        gender text CHECK (gender IN ('male', 'female', 'other')),
        iban text,
        avatar_key text REFERENCES media_files (key),
        searchable boolean NOT NULL DEFAULT true,
        premium_until timestamptz,
        verified boolean NOT NULL DEFAULT false,
        admin boolean NOT NULL DEFAULT false,
        moderator boolean NOT NULL DEFAULT false,
        banned boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX users_email ON users (lower(email));

      CREATE TABLE tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        name text NOT NULL,
        hash text NOT NULL UNIQUE,
        access text NOT NULL CHECK (access IN ('read', 'write', 'legacy')),
        expires_at timestamptz,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX tokens_user ON tokens (user_id, id);

      CREATE TABLE user_blocks (
        blocker_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        blocked_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        PRIMARY KEY (blocker_id, blocked_id),
        CHECK (blocker_id <> blocked_id)
      );
      CREATE INDEX user_blocks_blocked ON user_blocks (blocked_id, blocker_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_blocks, tokens, users');
  }
}
