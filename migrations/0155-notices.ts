import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of notifications: `read_at`, `words`, and the subject of notices that are not about an event. */
export class Notices0155 implements MigrationInterface {
  readonly name = 'Notices0000000000155';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE notifications
        ADD COLUMN read_at timestamptz,
        -- The subject of a notice. subject_id is null for an event. It is no foreign key, because a notice remains when
        -- its subject is deleted.
        ADD COLUMN subject_type text NOT NULL DEFAULT 'event',
        ADD COLUMN subject_id bigint,
        -- Values for the placeholders in the text of the notice.
        ADD COLUMN words jsonb NOT NULL DEFAULT '{}',
        ALTER COLUMN event_id DROP NOT NULL,
        ALTER COLUMN event_title DROP NOT NULL,
        ALTER COLUMN event_starts_at DROP NOT NULL,
        ADD CONSTRAINT notifications_subject CHECK (
          (subject_type = 'event') = (event_id IS NOT NULL AND event_title IS NOT NULL AND event_starts_at IS NOT NULL)
          AND (subject_type = 'event') = (subject_id IS NULL));
      CREATE INDEX notifications_unread ON notifications (user_id, id) WHERE read_at IS NULL;
      CREATE INDEX notifications_created ON notifications (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM notifications WHERE subject_type <> 'event';
      DROP INDEX notifications_unread, notifications_created;
      ALTER TABLE notifications
        DROP CONSTRAINT notifications_subject, DROP COLUMN read_at, DROP COLUMN subject_type, DROP COLUMN subject_id, DROP COLUMN words,
        ALTER COLUMN event_id SET NOT NULL, ALTER COLUMN event_title SET NOT NULL, ALTER COLUMN event_starts_at SET NOT NULL;
    `);
  }
}
