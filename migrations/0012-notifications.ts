import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notices to people, written in the transaction of the change that they report. With a mail server they are also sent
 * by mail.
 */
export class Notifications0012 implements MigrationInterface {
  readonly name = 'Notifications0000000000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notifications (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        kind text NOT NULL,
        -- No foreign key: the notice of a cancelled event outlives it. Title and time are as they were.
        event_id bigint NOT NULL,
        event_title text NOT NULL,
        event_starts_at timestamptz NOT NULL,
        -- Whose doing it is, where the notice says so: the requester.
        person_id bigint REFERENCES users (id),
        created_at timestamptz NOT NULL,
        -- Handed to the mail queue; and sent.
        queued_at timestamptz,
        mailed_at timestamptz
      );
      CREATE INDEX notifications_user ON notifications (user_id, id);
      CREATE INDEX notifications_unqueued ON notifications (id) WHERE queued_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notifications');
  }
}
