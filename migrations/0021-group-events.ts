import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Foreign key of `events.group_id`, and table group_interests: events in which a group is interested and which do not
 * belong to the group.
 */
export class GroupEvents0021 implements MigrationInterface {
  readonly name = 'GroupEvents0000000000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events ADD CONSTRAINT events_group_fk FOREIGN KEY (group_id) REFERENCES groups (id) ON DELETE SET NULL;

      CREATE TABLE group_interests (
        group_id bigint NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
        event_id bigint NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        added_by bigint NOT NULL REFERENCES users (id),
        created_at timestamptz NOT NULL,
        PRIMARY KEY (group_id, event_id)
      );
      CREATE INDEX group_interests_event ON group_interests (event_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE group_interests; ALTER TABLE events DROP CONSTRAINT events_group_fk');
  }
}
