import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Column `all_events.apply_key` with a unique index. By the organizer and this key, `apply` and `event import` find the
 * event that an earlier run created (OPS-93). This migration runs outside a transaction, because the index is created
 * CONCURRENTLY. Each step can be repeated.
 */
export class KeysOfAppliedEvents0326 implements MigrationInterface {
  readonly name = 'KeysOfAppliedEvents0000000000326';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE all_events ADD COLUMN IF NOT EXISTS apply_key text');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS events_apply_key');
    await runner.query(
      'CREATE UNIQUE INDEX CONCURRENTLY events_apply_key ON all_events (organizer_id, apply_key) WHERE apply_key IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS events_apply_key');
    await runner.query('ALTER TABLE all_events DROP COLUMN apply_key');
  }
}
