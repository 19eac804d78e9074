import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the column `tokens.tail`, which the page of an account's tokens shows, so that people can distinguish tokens.
 * Adds the table token_forms, so that a form that is sent twice creates only one token (PAGE-8, PAGE-30).
 */
export class TokenForms0181 implements MigrationInterface {
  readonly name = 'TokenForms0000000000181';
  readonly locks = ['tokens', 'users'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The last four characters of the token. Null for tokens from before this migration.
      ALTER TABLE tokens ADD COLUMN tail text;
      -- The ids of forms that have created a token. A row stays when the token is revoked.
      CREATE TABLE token_forms (
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        form text NOT NULL,
        used_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, form)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE token_forms; ALTER TABLE tokens DROP COLUMN tail');
  }
}
