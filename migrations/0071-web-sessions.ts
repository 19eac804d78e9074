import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is signed in to the pages, so that a session is ended by the server and not only by the browser that forgets it. */
export class WebSessions0071 implements MigrationInterface {
  readonly name = 'WebSessions0000000000071';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE web_sessions (
        id uuid PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        -- SHA-256 of the key in the cookie: who reads the table can use no session.
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
