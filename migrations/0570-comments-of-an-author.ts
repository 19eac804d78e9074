import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Index of the comments of an author. Without the index, the deletion of an account reads all comments. This migration
 * runs outside a transaction, because the index is created CONCURRENTLY. Each step can be repeated.
 */
export class CommentsOfAnAuthor0570 implements MigrationInterface {
  readonly name = 'CommentsOfAnAuthor0000000000570';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query('CREATE INDEX CONCURRENTLY comments_author ON all_comments (author_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS comments_author');
  }
}
