import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table mail_choices: the kinds of notices that a person does not want as mail, and the key in the links with which the
 * person stops mails.
 */
export class MailChoices0156 implements MigrationInterface {
  readonly name = 'MailChoices0000000000156';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_choices (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        -- Not encrypted: the key is in every mail, and it can only stop mails.
        key text NOT NULL UNIQUE,
        stopped text[] NOT NULL DEFAULT '{}'
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_choices');
  }
}
