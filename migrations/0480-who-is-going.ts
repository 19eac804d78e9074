import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Column `users.show_participation`: whether an account is shown among the participants of an event. New columns of
 * account_mails store fields of a registration until the registration is confirmed.
 */
export class WhoIsGoing0480 implements MigrationInterface {
  readonly name = 'WhoIsGoing0000000000480';
  readonly locks = ['account_mails', 'users'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN show_participation boolean NOT NULL DEFAULT false');
    await runner.query(`
      ALTER TABLE account_mails
        ADD COLUMN birth_date date,
        ADD COLUMN gender text,
        ADD COLUMN show_participation boolean NOT NULL DEFAULT false
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE account_mails DROP COLUMN birth_date, DROP COLUMN gender, DROP COLUMN show_participation',
    );
    await runner.query('ALTER TABLE users DROP COLUMN show_participation');
  }
}
