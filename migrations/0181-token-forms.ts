import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The last characters of a token, which distinguish tokens on the page, and the forms for new tokens: a form that is
 * sent twice creates one token (PAGE-8, PAGE-30).
 */
export class TokenForms0181 implements MigrationInterface {
  readonly name = 'TokenForms0000000000181';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The last four characters of the token, which belong to its checksum. Null for tokens from before this
      -- migration.
      ALTER TABLE tokens ADD COLUMN tail text;
      -- Forms that have created a token, also if the token was revoked: none of them creates a second token. A form is
      -- valid for a day; its row is stored for longer.
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
