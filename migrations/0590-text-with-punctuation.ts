import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the searched text with its punctuation to live_events and live_event_changes, for queries with short words
 * (DISC-7). The job `discover-sweep` fills the column of existing rows. The migration does not fill it, because the
 * functions of the previous version, which run until the migration ends, do not update the column. This migration runs
 * outside a transaction, because the index is created CONCURRENTLY. Each step can be repeated after a failure.
 */
export class TextWithPunctuation0590 implements MigrationInterface {
  readonly name = 'TextWithPunctuation0000000000590';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE live_events ADD COLUMN IF NOT EXISTS folded_text text');
    await runner.query('ALTER TABLE live_event_changes ADD COLUMN IF NOT EXISTS folded_text text');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS live_events_incomplete');
    await runner.query(
      'CREATE INDEX CONCURRENTLY live_events_incomplete ON live_events (id) WHERE created_at IS NULL OR folded_text IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE live_events DROP COLUMN folded_text');
    await runner.query('ALTER TABLE live_event_changes DROP COLUMN folded_text');
  }
}
