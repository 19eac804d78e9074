import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Column `notifications.refunded_credits`: the number of credits that a cancellation refunded to the reader of the
 * notice; 0 if nothing was refunded, and for all other notices.
 */
export class RefundsInNotices0080 implements MigrationInterface {
  readonly name = 'RefundsInNotices0000000000080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notifications ADD COLUMN refunded_credits bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notifications DROP COLUMN refunded_credits');
  }
}
