import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks whose receiver was slow last time are sent to in a lane of their own; in each lane the one that was served longest ago comes first. */
export class SharesOfSending0300 implements MigrationInterface {
  readonly name = 'SharesOfSending0000000000300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE webhooks ADD COLUMN is_slow boolean NOT NULL DEFAULT false, ADD COLUMN served_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP COLUMN is_slow, DROP COLUMN served_at');
  }
}
