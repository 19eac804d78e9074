import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the column `user_blocks.created_at` and an index for the list of the people whom a person blocks, the latest
 * block first. Existing blocks get the time of this migration.
 */
export class BlocksWithTimes0120 implements MigrationInterface {
  readonly name = 'BlocksWithTimes0000000000120';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE user_blocks ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
      CREATE INDEX user_blocks_latest ON user_blocks (blocker_id, created_at DESC, blocked_id DESC);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX user_blocks_latest;
      ALTER TABLE user_blocks DROP COLUMN created_at;
    `);
  }
}
