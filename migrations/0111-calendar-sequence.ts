import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A change of one of these columns increases the SEQUENCE of the event's entry in calendars (RFC 5545, 3.8.7.4).
 * Changes of other columns, such as the title, do not.
 */
const ENTRY = ['starts_at', 'ends_at', 'location_name', 'location_address', 'latitude', 'longitude', 'status'];

/**
 * Columns `calendar_sequence` (how often time, place or status changed) and `cancelled_at` of events. Triggers set both
 * columns, because several parts of the service write events.
 */
export class CalendarSequence0111 implements MigrationInterface {
  readonly name = 'CalendarSequence0000000000111';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events
        ADD COLUMN calendar_sequence integer NOT NULL DEFAULT 0,
        ADD COLUMN cancelled_at timestamptz;
      -- For events that are already cancelled, the exact time of the cancellation is unknown. updated_at is the latest
      -- possible time.
      UPDATE events SET cancelled_at = updated_at WHERE status = 'cancelled';
      ALTER TABLE events ADD CONSTRAINT events_cancelled_at CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL));

      CREATE FUNCTION events_calendar_sequence() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          NEW.calendar_sequence := OLD.calendar_sequence + 1;
          NEW.cancelled_at := CASE WHEN NEW.status = 'cancelled' THEN coalesce(OLD.cancelled_at, NEW.updated_at) END;
        ELSE
          NEW.cancelled_at := NEW.updated_at;
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER events_calendar_sequence BEFORE UPDATE ON events FOR EACH ROW
        WHEN ((${columns('OLD')}) IS DISTINCT FROM (${columns('NEW')})) EXECUTE FUNCTION events_calendar_sequence();
      CREATE TRIGGER events_cancelled_from_the_start BEFORE INSERT ON events FOR EACH ROW
        WHEN (NEW.status = 'cancelled') EXECUTE FUNCTION events_calendar_sequence();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER events_calendar_sequence ON events;
      DROP TRIGGER events_cancelled_from_the_start ON events;
      DROP FUNCTION events_calendar_sequence();
      ALTER TABLE events DROP COLUMN calendar_sequence, DROP COLUMN cancelled_at;
    `);
  }
}

function columns(row: 'OLD' | 'NEW'): string {
  return ENTRY.map((column) => `${row}.${column}`).join(', ');
}
