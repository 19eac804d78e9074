import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Column `place` of users and account_mails: the place where a person lives, as `{name, latitude, longitude}`. */
export class PlacesOfAccounts0491 implements MigrationInterface {
  readonly name = 'PlacesOfAccounts0000000000491';
  readonly locks = ['account_mails', 'users'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN place jsonb');
    await runner.query('ALTER TABLE account_mails ADD COLUMN place jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE account_mails DROP COLUMN place');
    await runner.query('ALTER TABLE users DROP COLUMN place');
  }
}
