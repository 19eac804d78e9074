import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - The index of the primary key of participations also contains `status`. Without `status` in this index, PostgreSQL
 *   looked up the status of one participation in another index and read all participations of the user.
 * - The index of live_events by organizer also contains the columns that the filters of Discover use, so the matching
 *   events of one organizer are counted without reading the table.
 *
 * This migration runs outside a transaction, because the indexes are created CONCURRENTLY. Each step can be repeated
 * after a failure.
 */
export class ParticipationStatusByKey0091 implements MigrationInterface {
  readonly name = 'ParticipationStatusByKey0000000000091';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await replaceKey(runner, 'INCLUDE (status)');
    await replaceIndex(runner, {
      former: 'live_events_organizer',
      present: 'live_events_of_organizer',
      columns: '(organizer_id) INCLUDE (starts_at, over_at, id, type, imported, seeking, x, y, z)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceKey(runner, '');
    await replaceIndex(runner, {
      former: 'live_events_of_organizer',
      present: 'live_events_organizer',
      columns: '(organizer_id)',
    });
  }
}

/** The new index is built before it replaces the primary key, so the table is locked only for a moment. */
async function replaceKey(runner: QueryRunner, more: string): Promise<void> {
  await runner.query('DROP INDEX CONCURRENTLY IF EXISTS participations_key');
  await runner.query(
    `CREATE UNIQUE INDEX CONCURRENTLY participations_key ON participations (event_id, user_id) ${more}`,
  );
  await runner.query(
    'ALTER TABLE participations DROP CONSTRAINT participations_pkey, ADD CONSTRAINT participations_pkey PRIMARY KEY USING INDEX participations_key',
  );
}

async function replaceIndex(
  runner: QueryRunner,
  { former, present, columns }: { former: string; present: string; columns: string },
): Promise<void> {
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${present}`);
  await runner.query(`CREATE INDEX CONCURRENTLY ${present} ON live_events ${columns}`);
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${former}`);
}
