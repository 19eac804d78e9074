import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Maximum number of rows that one statement fills. */
const BATCH = 5_000;

/**
 * Adds columns to live_events and live_event_changes, and indexes to live_events, for the filters and orders of
 * Discover. The update of existing rows skips locked rows; the job `discover-sweep` fills their new columns later. This
 * migration runs outside a transaction, because indexes are created CONCURRENTLY. Each step can be repeated after a
 * failure.
 */
export class FiltersOfDiscover0350 implements MigrationInterface {
  readonly name = 'FiltersOfDiscover0000000000350';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE live_events ADD COLUMN IF NOT EXISTS free boolean, ADD COLUMN IF NOT EXISTS group_id bigint, ADD COLUMN IF NOT EXISTS series_id bigint,
        ADD COLUMN IF NOT EXISTS latitude double precision, ADD COLUMN IF NOT EXISTS longitude double precision, ADD COLUMN IF NOT EXISTS created_at timestamptz`);
    await runner.query(`
      ALTER TABLE live_event_changes ADD COLUMN IF NOT EXISTS free boolean, ADD COLUMN IF NOT EXISTS group_id bigint, ADD COLUMN IF NOT EXISTS series_id bigint,
        ADD COLUMN IF NOT EXISTS latitude double precision, ADD COLUMN IF NOT EXISTS longitude double precision`);
    await fill(runner);
    await index(
      runner,
      'live_events_created',
      'live_events (created_at DESC, id DESC) INCLUDE (over_at, boosted_until, organizer_id)',
    );
    await index(
      runner,
      'live_events_paid',
      'live_events (starts_at, id) INCLUDE (over_at, boosted_until, organizer_id) WHERE NOT free',
    );
    await index(runner, 'live_events_group', 'live_events (group_id, starts_at, id) WHERE group_id IS NOT NULL');
    await index(runner, 'live_events_series', 'live_events (series_id, starts_at, id) WHERE series_id IS NOT NULL');
    await index(
      runner,
      'live_events_nearest',
      'live_events USING gist (f_on_sphere(latitude, longitude)) WHERE latitude IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const columns =
      'DROP COLUMN free, DROP COLUMN group_id, DROP COLUMN series_id, DROP COLUMN latitude, DROP COLUMN longitude';
    await runner.query(`ALTER TABLE live_events ${columns}, DROP COLUMN created_at`);
    await runner.query(`ALTER TABLE live_event_changes ${columns}`);
  }
}

async function fill(runner: QueryRunner): Promise<void> {
  for (let after = '0'; ;) {
    const rows = (await runner.query(
      `WITH batch AS MATERIALIZED (
         SELECT id FROM live_events WHERE id > $1 AND created_at IS NULL ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
       filled AS (
         UPDATE live_events l
            SET free = coalesce(e.price_czk, 0) = 0 AND e.ticket_price_credits = 0, group_id = e.group_id, series_id = e.series_id,
                latitude = e.latitude, longitude = e.longitude, created_at = date_trunc('milliseconds', e.created_at)
           FROM all_events e WHERE e.id = l.id AND l.id IN (SELECT id FROM batch))
       SELECT max(id) AS last FROM batch`,
      [after],
    )) as readonly { last: string | null }[];
    const last = rows[0]?.last;
    if (last === null || last === undefined) return;
    after = last;
  }
}

async function index(runner: QueryRunner, name: string, on: string): Promise<void> {
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
}
