import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an operator last banned or unbanned a person, and until when this ban lasts (MOD-46, MOD-52). */
export class BansByOperators0560 implements MigrationInterface {
  readonly name = 'BansByOperators0000000000560';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE users ADD COLUMN operator_ban_at timestamptz, ADD COLUMN operator_ban_until timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN operator_ban_at, DROP COLUMN operator_ban_until');
  }
}
