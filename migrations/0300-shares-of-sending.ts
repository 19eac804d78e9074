import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns `is_slow` and `served_at` of webhooks. Slow webhooks and other webhooks have separate queues. In each queue,
 * the webhooks that were never served come first, then the webhook that was served longest ago (`served_at`).
 */
export class SharesOfSending0300 implements MigrationInterface {
  readonly name = 'SharesOfSending0000000000300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE webhooks ADD COLUMN is_slow boolean NOT NULL DEFAULT false, ADD COLUMN served_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP COLUMN is_slow, DROP COLUMN served_at');
  }
}
