import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table media_files: one row for each stored picture or video. The service writes the row before the file. */
export class MediaFiles0002 implements MigrationInterface {
  readonly name = 'MediaFiles0000000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE media_files (
        key text PRIMARY KEY,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'kept', 'doomed')),
        kind text NOT NULL CHECK (kind IN ('picture', 'video')),
        bytes bigint NOT NULL CHECK (bytes >= 0),
        created_at timestamptz NOT NULL,
        doomed_at timestamptz,
        CHECK ((state = 'doomed') = (doomed_at IS NOT NULL))
      );
      CREATE INDEX media_files_pending ON media_files (created_at) WHERE state = 'pending';
      CREATE INDEX media_files_doomed ON media_files (key) WHERE state = 'doomed';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE media_files');
  }
}
