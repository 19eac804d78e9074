import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Index puls_posts_around replaces puls_posts_nearest and puls_posts_box. Two queries use the new index: the query for
 * the nearest posts, and the query for the number of posts around a place.
 */
export class PulsAround0065 implements MigrationInterface {
  readonly name = 'PulsAround0000000000065';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX puls_posts_around ON puls_posts USING gist (place) INCLUDE (expires_at, author_id);
      DROP INDEX puls_posts_nearest, puls_posts_box;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX puls_posts_nearest ON puls_posts USING gist (place);
      CREATE INDEX puls_posts_box ON puls_posts (latitude, longitude) INCLUDE (place, expires_at, author_id);
      DROP INDEX puls_posts_around;
    `);
  }
}
