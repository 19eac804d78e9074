import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table database_files. From this migration on, SQL files define functions, views and triggers
 * (docs/adr/0340-sql-files.md). The function give_version() of these files replaces keep_updated_at(). The files are
 * applied seconds after this migration. Until then, a PATCH that changes no value sets a new `updated_at`.
 */
export class SqlFiles0340 implements MigrationInterface {
  readonly name = 'SqlFiles0000000000340';
  readonly locks = ['all_events', 'all_groups', 'all_posts', 'all_series'];

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
