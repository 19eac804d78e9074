import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns of users (MOD-46, MOD-52). `operator_ban_at`: when an operator last banned or unbanned the person. It is null
 * if no operator has done this. `operator_ban_until`: the end of the ban (null for a permanent ban), or the time of the
 * unban.
 */
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
