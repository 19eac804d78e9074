import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index notifications_message is used to find the notices of an organizer's message. The migration creates the
 * index without blocking writes.
 */
export class NoticesOfAMessage0461 implements MigrationInterface {
  readonly name = 'NoticesOfAMessage0000000000461';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS notifications_message');
    await runner.query(
      "CREATE INDEX CONCURRENTLY notifications_message ON notifications (subject_id) WHERE kind = 'organizer_message'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS notifications_message');
  }
}
