import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the table door_links: links with which helpers check in participants. Adds `door_marks.link_name`, the name of
 * the link with which the scan was sent, and `participations.checked_in_by`, the name of the link with which the person
 * was checked in. Both names are null if no link was used.
 */
export class DoorLinks0422 implements MigrationInterface {
  readonly name = 'DoorLinks0000000000422';
  readonly locks = ['all_events', 'door_marks', 'participations'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE door_links (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id bigint NOT NULL REFERENCES all_events ON DELETE CASCADE,
        name text NOT NULL,
        hash text NOT NULL UNIQUE,
        grant_id bigint,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX door_links_event ON door_links (event_id, id);
      CREATE INDEX door_links_grant ON door_links (grant_id) WHERE grant_id IS NOT NULL;
      ALTER TABLE door_marks ADD COLUMN link_name text;
      ALTER TABLE participations ADD COLUMN checked_in_by text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER IF EXISTS door_links_end_with_a_ban ON users;
      DROP FUNCTION IF EXISTS end_door_links;
      ALTER TABLE participations DROP COLUMN checked_in_by;
      ALTER TABLE door_marks DROP COLUMN link_name;
      DROP TABLE door_links;
    `);
  }
}
