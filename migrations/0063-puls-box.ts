import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index puls_posts_box replaces puls_posts_latitude, so that counting the posts within a radius reads only the
 * index entries in a box around the circle.
 */
export class PulsBox0063 implements MigrationInterface {
  readonly name = 'PulsBox0000000000063';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX puls_posts_box ON puls_posts (latitude, longitude) INCLUDE (place, expires_at, author_id);
      DROP INDEX puls_posts_latitude;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX puls_posts_latitude ON puls_posts (latitude) INCLUDE (place, expires_at, author_id);
      DROP INDEX puls_posts_box;
    `);
  }
}
