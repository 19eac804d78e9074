import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Index notifications_comment: finds the notices about a comment. The index is created without blocking writes. */
export class NoticesOfAComment0362 implements MigrationInterface {
  readonly name = 'NoticesOfAComment0000000000362';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS notifications_comment');
    await runner.query(
      "CREATE INDEX CONCURRENTLY notifications_comment ON notifications (subject_id) WHERE kind = 'comment'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS notifications_comment');
  }
}
