import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables door_packs and door_marks for check-in at the door of an event. */
export class Door0170 implements MigrationInterface {
  readonly name = 'Door0000000000170';
  readonly locks = ['events', 'participations'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Each event's random key for hashes of its check-in and ticket codes. Phones without a network use the hashes.
      CREATE TABLE door_packs (
        event_id bigint PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
        pack text NOT NULL
      );

      CREATE TABLE door_marks (
        event_id bigint NOT NULL,
        user_id bigint NOT NULL,
        -- Devices send scan and undo. The check-in endpoints record check_in and undo_check_in.
        kind text NOT NULL CHECK (kind IN ('scan', 'undo', 'check_in', 'undo_check_in')),
        -- Seconds since 1970. Marks of one person with the same kind and second are stored once.
        second bigint NOT NULL,
        -- Increases, for one event, in the order of the commits: the event's row is locked while its marks are written.
        ordinal bigint GENERATED ALWAYS AS IDENTITY,
        PRIMARY KEY (event_id, user_id, kind, second),
        FOREIGN KEY (event_id, user_id) REFERENCES participations (event_id, user_id) ON DELETE CASCADE
      );

      CREATE FUNCTION forget_door_marks() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM door_marks WHERE event_id = OLD.event_id AND user_id = OLD.user_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER participations_forget_door_marks AFTER UPDATE OF check_in_code ON participations FOR EACH ROW
        WHEN (OLD.check_in_code IS NOT NULL AND OLD.check_in_code IS DISTINCT FROM NEW.check_in_code) EXECUTE FUNCTION forget_door_marks();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER participations_forget_door_marks ON participations;
      DROP FUNCTION forget_door_marks;
      DROP TABLE door_marks, door_packs;
    `);
  }
}
