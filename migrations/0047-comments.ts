import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables comments (on events and posts) and comment_rates (the times of each user's latest comments). */
export class Comments0047 implements MigrationInterface {
  readonly name = 'Comments0000000000047';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A root comment refers to an event or a post. A reply refers only to its root comment.
      CREATE TABLE comments (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id bigint REFERENCES events (id) ON DELETE CASCADE,
        post_id bigint REFERENCES posts (id) ON DELETE CASCADE,
        root_id bigint REFERENCES comments (id) ON DELETE CASCADE,
        author_id bigint NOT NULL REFERENCES users (id),
        body text,
        image_key text REFERENCES media_files (key),
        created_at timestamptz NOT NULL,
        CHECK (num_nonnulls(event_id, post_id, root_id) = 1),
        CHECK (body IS NOT NULL OR image_key IS NOT NULL)
      );
      CREATE INDEX comments_event ON comments (event_id, id) WHERE event_id IS NOT NULL;
      CREATE INDEX comments_post ON comments (post_id, id) WHERE post_id IS NOT NULL;
      CREATE INDEX comments_replies ON comments (root_id, id) WHERE root_id IS NOT NULL;
      -- The foreign key check uses this index when a row of media_files is deleted.
      CREATE UNIQUE INDEX comments_image ON comments (image_key) WHERE image_key IS NOT NULL;

      -- When a comment is deleted, its time stays in sent_at.
      CREATE TABLE comment_rates (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        sent_at timestamptz[] NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE comment_rates, comments');
  }
}
