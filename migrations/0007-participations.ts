import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table participations: a row contains the status of a user at an event. The organizer of the event has no row. */
export class Participations0007 implements MigrationInterface {
  readonly name = 'Participations0000000000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE participations (
        event_id bigint NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        status text NOT NULL CHECK (status IN ('confirmed', 'pending', 'waitlisted', 'requested', 'declined', 'banned')),
        invited_at timestamptz,
        requested_at timestamptz,
        joined_at timestamptz,
        checked_in_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        PRIMARY KEY (event_id, user_id),
        CHECK (checked_in_at IS NULL OR status = 'confirmed')
      );
      CREATE INDEX participations_user ON participations (user_id, status) INCLUDE (event_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE participations');
  }
}
