import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * From this migration on, functions, views and triggers are SQL files (docs/adr/0340-sql-files.md), and numbered
 * migrations create tables, columns, indexes and data. The files use the names of the existing objects. There are two
 * exceptions: give_version() also does what keep_updated_at() did, and the views are written out in full. Until the
 * files are applied, seconds later at most, a PATCH with equal values sets a new updated_at.
 */
export class SqlFiles0340 implements MigrationInterface {
  readonly name = 'SqlFiles0000000000340';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE database_files (name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
      DROP TRIGGER changes_keep_time ON all_events;
      DROP TRIGGER changes_keep_time ON all_groups;
      DROP TRIGGER changes_keep_time ON all_posts;
      DROP TRIGGER changes_keep_time ON all_series;
      DROP FUNCTION keep_updated_at();
      DROP FUNCTION show_what_is_in_sight();
    `);
  }

  async down(): Promise<void> {
    throw new Error('The definitions before the SQL files are in migrations 0001 to 0296.');
  }
}
