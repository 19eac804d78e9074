import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replaces the index live_events_of_organizer. The new index contains the events of each organizer in the order of
 * Discover's list. This migration runs outside a transaction, because the index is created CONCURRENTLY. After an
 * interruption the migration can be repeated.
 */
export class EventsOfAnOrganizer0531 implements MigrationInterface {
  readonly name = 'EventsOfAnOrganizer0000000000531';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await replace(
      runner,
      '(organizer_id, starts_at, id) INCLUDE (over_at, boosted_until, type, imported, seeking, x, y, z)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await replace(runner, '(organizer_id) INCLUDE (starts_at, over_at, id, type, imported, seeking, x, y, z)');
  }
}

async function replace(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query('DROP INDEX CONCURRENTLY IF EXISTS live_events_of_organizer_new');
  await runner.query(`CREATE INDEX CONCURRENTLY live_events_of_organizer_new ON live_events ${columns}`);
  await runner.query('DROP INDEX CONCURRENTLY IF EXISTS live_events_of_organizer');
  await runner.query('ALTER INDEX live_events_of_organizer_new RENAME TO live_events_of_organizer');
}
