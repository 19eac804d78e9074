import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table puls_posts: posts at a place, which expire after a day. */
export class Puls0060 implements MigrationInterface {
  readonly name = 'Puls0000000000060';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE puls_posts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        author_id bigint NOT NULL REFERENCES users (id),
        body text,
        image_key text REFERENCES media_files (key),
        video_key text REFERENCES media_files (key),
        latitude double precision NOT NULL,
        longitude double precision NOT NULL,
        -- The coordinates as a point on the unit sphere, like groups.place.
        place cube NOT NULL GENERATED ALWAYS AS (f_on_sphere(latitude, longitude)) STORED,
        location_name text,
        likes_count integer NOT NULL DEFAULT 0 CHECK (likes_count >= 0),
        -- Whether the post was bought outside this API. The author may then have a second active post.
        paid boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CHECK (body IS NOT NULL OR image_key IS NOT NULL OR video_key IS NOT NULL),
        CHECK (image_key IS NULL OR video_key IS NULL)
      );
      CREATE INDEX puls_posts_nearest ON puls_posts USING gist (place);
      -- This index is used to count the posts within a radius without reading the table.
      CREATE INDEX puls_posts_latitude ON puls_posts (latitude) INCLUDE (place, expires_at, author_id);
      CREATE INDEX puls_posts_author ON puls_posts (author_id, created_at);
      CREATE INDEX puls_posts_expiry ON puls_posts (expires_at);
      CREATE INDEX puls_posts_image ON puls_posts (image_key) WHERE image_key IS NOT NULL;
      CREATE INDEX puls_posts_video ON puls_posts (video_key) WHERE video_key IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE puls_posts');
  }
}
