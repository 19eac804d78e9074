import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The last characters of a token, which distinguish tokens on the page, and the forms for new tokens: a form that is
 * sent twice creates one token (PAGE-8, PAGE-30).
 */
export class TokenForms0181 implements MigrationInterface {
  readonly name = 'TokenForms0000000000181';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The last four characters of the secret, of its checksum; null: made before they were kept.
      ALTER TABLE tokens ADD COLUMN tail text;
      -- Forms that have made a token, revoked ones too: none makes a second. A form holds for a day, its row for longer.
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
