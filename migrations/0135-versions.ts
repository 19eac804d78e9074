import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For each table, the columns that the owner of an object writes. `group_id` and `event_id` are included, because they
 * change when the group or the event is deleted.
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
 * Adds the column `version` to five tables (docs/rules/retries.md). Triggers set a new version when one of the columns
 * above changes, except while stored texts are sealed with a new secret (`events.resealing`). All tables share one
 * sequence, so no two changes get the same version.
 */
export class Versions0135 implements MigrationInterface {
  readonly name = 'Versions0000000000135';
  readonly locks = ['events', 'groups', 'itineraries', 'posts', 'series'];

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
