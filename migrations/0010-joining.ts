import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables tickets and wrong_passwords, `events.revision`, and columns of participations for check-in, tickets and
 * credits.
 */
export class Joining0010 implements MigrationInterface {
  readonly name = 'Joining0000000000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE participations
        -- The code that the participant shows at the door.
        ADD COLUMN check_in_code text,
        ADD COLUMN ticket_code text,
        -- The held credits, if the event has a price in credits.
        ADD COLUMN credit_hold_id bigint;

      -- These indexes are used to count open requests and open invitations, because both are limited.
      CREATE INDEX participations_requested ON participations (event_id) WHERE status = 'requested';
      CREATE INDEX participations_pending ON participations (event_id) WHERE status = 'pending';

      -- The revision increases with each update of the event, except an update that changes confirmed_count
      -- (docs/adr/0010-join-by-judgement-and-seat.md).
      ALTER TABLE events ADD COLUMN revision integer NOT NULL DEFAULT 0;
      CREATE FUNCTION events_next_revision() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.revision := OLD.revision + 1;
        RETURN NEW;
      END $$;
      CREATE TRIGGER events_revision BEFORE UPDATE ON events FOR EACH ROW
        WHEN (OLD.confirmed_count = NEW.confirmed_count) EXECUTE FUNCTION events_next_revision();

      CREATE TABLE tickets (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id bigint NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        code text NOT NULL,
        used_by bigint REFERENCES users (id),
        used_at timestamptz,
        created_at timestamptz NOT NULL,
        UNIQUE (event_id, code),
        CHECK ((used_by IS NULL) = (used_at IS NULL))
      );

      -- The times of a user's latest wrong passwords for an event.
      CREATE TABLE wrong_passwords (
        event_id bigint NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        guessed_at timestamptz[] NOT NULL,
        PRIMARY KEY (event_id, user_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE wrong_passwords, tickets;
      DROP TRIGGER events_revision ON events;
      DROP FUNCTION events_next_revision;
      ALTER TABLE events DROP COLUMN revision;
      ALTER TABLE participations DROP COLUMN check_in_code, DROP COLUMN ticket_code, DROP COLUMN credit_hold_id;
      DROP INDEX participations_requested, participations_pending;
    `);
  }
}
