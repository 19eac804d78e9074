import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Scans and check-ins of people at the door of an event, and the key of its pack (the list of people for phones without
 * a network).
 */
export class Door0170 implements MigrationInterface {
  readonly name = 'Door0000000000170';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The key of the hashes of codes, for phones without a network.
      CREATE TABLE door_packs (
        event_id bigint PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
        pack text NOT NULL
      );

      CREATE TABLE door_marks (
        event_id bigint NOT NULL,
        user_id bigint NOT NULL,
        -- Devices write scan and undo. The check-in endpoints write check_in and undo_check_in.
        kind text NOT NULL CHECK (kind IN ('scan', 'undo', 'check_in', 'undo_check_in')),
        -- Seconds since 1970. Equal marks within one second count as one.
        second bigint NOT NULL,
        -- The order of the commits, because the event is locked while marks are written.
        ordinal bigint GENERATED ALWAYS AS IDENTITY,
        PRIMARY KEY (event_id, user_id, kind, second),
        FOREIGN KEY (event_id, user_id) REFERENCES participations (event_id, user_id) ON DELETE CASCADE
      );

      -- Deletes the marks of a person who leaves, regardless of the statement that changes the participation. As long as the check-in
      -- code is the same, it is the same participation.
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
