import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Index of the failed deliveries of webhooks. Without the index, each request for the metrics reads all deliveries.
 * This migration runs outside a transaction, because the index is created CONCURRENTLY. Each step can be repeated.
 */
export class FailedDeliveries0580 implements MigrationInterface {
  readonly name = 'FailedDeliveries0000000000580';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query(
      `CREATE INDEX CONCURRENTLY webhook_deliveries_failed ON webhook_deliveries (webhook_id) WHERE status = 'failed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS webhook_deliveries_failed');
  }
}
