import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables event_changes, event_reminders and event_digests, and columns of users, participations and notifications, for
 * notices of changed events, reminders, digests and comments. Each existing event that is active and has not started
 * gets a row in event_reminders. In this row, `start_set_at` is the time at which the event was created.
 */
export class ExpectedNotices0360 implements MigrationInterface {
  readonly name = 'ExpectedNotices0000000000360';
  readonly locks = ['all_events', 'notifications', 'participations', 'users'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD COLUMN reminder_hours smallint NOT NULL DEFAULT 24,
        ADD CONSTRAINT users_reminder_hours CHECK (reminder_hours IN (0, 2, 24, 48)) NOT VALID;

      ALTER TABLE participations
        -- The time since which the person has been pending, requested, waitlisted or confirmed. Null in rows from
        -- before this migration; created_at is used for these rows.
        ADD COLUMN related_since timestamptz,
        -- The kind of the organizer's next digest that will count this person.
        ADD COLUMN digest text,
        ADD CONSTRAINT participations_digest_kind CHECK (digest IN ('joined', 'waitlisted')) NOT VALID;

      ALTER TABLE notifications
        -- The people named in a digest, at most three.
        ADD COLUMN people bigint[],
        -- For a notice of a comment: the root of the thread.
        ADD COLUMN thread_id bigint,
        -- The post of the comment. For a comment on an event, event_id is set instead.
        ADD COLUMN post_id bigint;

      -- Time and place of an event before its first change that no notice has reported yet.
      CREATE TABLE event_changes (
        event_id bigint PRIMARY KEY REFERENCES all_events (id) ON DELETE CASCADE,
        changed_at timestamptz NOT NULL,
        starts_at timestamptz NOT NULL,
        ends_at timestamptz,
        location_name text,
        location_address text,
        latitude double precision,
        longitude double precision
      );
      CREATE INDEX event_changes_changed ON event_changes (changed_at);

      -- Active events that have not started. At look_at, a job looks for due reminders of the event.
      CREATE TABLE event_reminders (
        event_id bigint PRIMARY KEY REFERENCES all_events (id) ON DELETE CASCADE,
        start_set_at timestamptz NOT NULL,
        look_at timestamptz NOT NULL
      );
      CREATE INDEX event_reminders_due ON event_reminders (look_at);
      INSERT INTO event_reminders (event_id, start_set_at, look_at)
        SELECT id, created_at, starts_at - interval '48 hours' FROM all_events WHERE starts_at > now() AND status = 'active';

      CREATE TABLE event_digests (
        event_id bigint NOT NULL REFERENCES all_events (id) ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('joined', 'waitlisted')),
        written_at timestamptz NOT NULL,
        PRIMARY KEY (event_id, kind)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE event_changes, event_reminders, event_digests;
      ALTER TABLE notifications DROP COLUMN people, DROP COLUMN thread_id, DROP COLUMN post_id;
      ALTER TABLE participations DROP COLUMN related_since, DROP COLUMN digest;
      ALTER TABLE users DROP COLUMN reminder_hours;
    `);
  }
}
