import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table notifications: notices to users. If a mail server is set up, notices are also sent by mail. */
export class Notifications0012 implements MigrationInterface {
  readonly name = 'Notifications0000000000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notifications (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        kind text NOT NULL,
        -- No foreign key: a notice remains when the event is deleted. event_title and event_starts_at are copies that
        -- do not change when the event changes.
        event_id bigint NOT NULL,
        event_title text NOT NULL,
        event_starts_at timestamptz NOT NULL,
        -- The person named in the text of the notice.
        person_id bigint REFERENCES users (id),
        created_at timestamptz NOT NULL,
        -- When the mail was added to the mail queue, and when the mail was sent.
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
