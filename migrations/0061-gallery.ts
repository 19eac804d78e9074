import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table gallery_photos: photos that the organizer and the participants of an event add. The event's own pictures are in
 * event_images.
 */
export class Gallery0061 implements MigrationInterface {
  readonly name = 'Gallery0000000000061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gallery_photos (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id bigint NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        author_id bigint NOT NULL REFERENCES users (id),
        key text NOT NULL UNIQUE REFERENCES media_files (key),
        width integer NOT NULL,
        height integer NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX gallery_photos_event ON gallery_photos (event_id, id);
      CREATE INDEX gallery_photos_author ON gallery_photos (author_id, event_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gallery_photos');
  }
}
