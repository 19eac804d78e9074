import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table posts: blog posts. */
export class Posts0046 implements MigrationInterface {
  readonly name = 'Posts0000000000046';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE posts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        author_id bigint NOT NULL REFERENCES users (id),
        event_id bigint REFERENCES events (id) ON DELETE SET NULL,
        slug text NOT NULL UNIQUE,
        title text NOT NULL,
        excerpt text,
        -- HTML with allowed tags only.
        body text NOT NULL,
        categories text[] NOT NULL CHECK (cardinality(categories) > 0),
        location text,
        status text NOT NULL CHECK (status IN ('draft', 'published')),
        cover_key text REFERENCES media_files (key),
        published_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CHECK ((status = 'published') = (published_at IS NOT NULL))
      );
      CREATE INDEX posts_author ON posts (author_id, created_at DESC, id DESC);
      CREATE INDEX posts_event ON posts (event_id) WHERE event_id IS NOT NULL;
      -- The foreign key check uses this index when a row of media_files is deleted.
      CREATE UNIQUE INDEX posts_cover ON posts (cover_key) WHERE cover_key IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE posts');
  }
}
