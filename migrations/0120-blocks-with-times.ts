import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The time at which a person was blocked: the list of blocks shows it, the latest first. Existing blocks get the time
 * of this migration.
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
