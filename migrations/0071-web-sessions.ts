import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table web_sessions: sessions of people who are signed in to the pages. To end a session, the server deletes its row.
 */
export class WebSessions0071 implements MigrationInterface {
  readonly name = 'WebSessions0000000000071';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE web_sessions (
        id uuid PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        -- SHA-256 of the key in the cookie.
        key_hash text NOT NULL UNIQUE CHECK (key_hash ~ '^[0-9a-f]{64}$'),
        user_agent text NOT NULL,
        created_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX web_sessions_user ON web_sessions (user_id);
      CREATE INDEX web_sessions_expiry ON web_sessions (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE web_sessions');
  }
}
