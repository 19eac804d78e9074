import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table event_days: for each event, day and kind of change (`what`), the number of these changes. The table has no
 * personal data. Changes before this migration are not counted.
 */
export class EventDays0462 implements MigrationInterface {
  readonly name = 'EventDays0000000000462';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_days (
        event_id bigint NOT NULL REFERENCES all_events (id) ON DELETE CASCADE,
        -- The day in Prague.
        day date NOT NULL,
        what text NOT NULL CHECK (what IN ('joined', 'left', 'waitlist_joined', 'waitlist_promoted', 'waitlist_left',
          'offers_made', 'offers_accepted', 'offers_declined', 'offers_lapsed')),
        total integer NOT NULL,
        PRIMARY KEY (event_id, day, what)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    // These triggers are in libs/areas/participation/sql/triggers.sql. They write to the table.
    await runner.query(`
      DROP TRIGGER IF EXISTS numbers_are_counted ON participations;
      DROP TRIGGER IF EXISTS numbers_are_counted_ended ON participations;
      DROP TRIGGER IF EXISTS numbers_are_counted_changed ON participations;
      DROP TABLE event_days;
    `);
  }
}
