import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The `key` of an event in an operator's document: a second `apply` finds the event by its organizer and key (OPS-93).
 * The index is created without blocking writes, so this migration runs outside a transaction and each step can be
 * repeated.
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
