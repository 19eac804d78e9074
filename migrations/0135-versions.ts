import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The columns that the owner of each object writes, including pictures. Columns of operators, counters and jobs are not
 * listed. The group of an event and the event of a post are listed, so that their deletion counts as a change.
 */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  events: [
    'title',
    'description',
    'type',
    'starts_at',
    'ends_at',
    'location_name',
    'location_address',
    'latitude',
    'longitude',
    'is_public',
    'join_mode',
    'join_password_sealed',
    'max_participants',
    'seeking_company',
    'age_min',
    'age_max',
    'gender_restriction',
    'price_czk',
    'price_note',
    'ticket_url',
    'photos_enabled',
    'status',
    'group_id',
    'images',
  ],
  series: ['template', 'cancelled_at'],
  groups: ['name', 'description', 'is_public', 'location_name', 'latitude', 'longitude', 'avatar_key', 'cover_key'],
  posts: ['event_id', 'title', 'excerpt', 'body', 'categories', 'location', 'status', 'cover_key'],
  itineraries: ['title', 'description', 'is_public', 'stops'],
};

/**
 * The version of an object in its owner's view (docs/rules/retries.md). Each change of the owner's data gives a new
 * version. All objects share one sequence, so a version is never used twice, not even for a plan that is deleted and
 * created again. A trigger sets the version, because single requests, series, operators and foreign keys write these
 * rows, and no writer may forget it. Statements of joins and counters do not name these columns.
 */
export class Versions0135 implements MigrationInterface {
  readonly name = 'Versions0000000000135';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE versions;

      CREATE FUNCTION give_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.version := nextval('versions');
        RETURN NEW;
      END $$;
    `);
    for (const [table, columns] of Object.entries(OWNERS)) {
      const of = (row: string): string => columns.map((column) => `${row}.${column}`).join(', ');
      await runner.query(`
        -- Existing rows get the constant 0, so PostgreSQL does not rewrite them.
        ALTER TABLE ${table} ADD COLUMN version bigint NOT NULL DEFAULT 0;
        ALTER TABLE ${table} ALTER COLUMN version SET DEFAULT nextval('versions');
        -- Sealing a value again with another secret does not change its meaning (platform/installation/rotation.ts), so
        -- the row gets no new version then.
        CREATE TRIGGER ${table}_version BEFORE UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW
          WHEN ((${of('OLD')}) IS DISTINCT FROM (${of('NEW')}) AND current_setting('events.resealing', true) IS DISTINCT FROM 'on')
          EXECUTE FUNCTION give_version();
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(OWNERS))
      await runner.query(`DROP TRIGGER ${table}_version ON ${table}; ALTER TABLE ${table} DROP COLUMN version`);
    await runner.query('DROP FUNCTION give_version(); DROP SEQUENCE versions');
  }
}
