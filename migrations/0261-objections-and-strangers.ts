import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * moderation_decisions gets columns for the reported object and for the moderator who answered an objection. reports
 * gets columns for reporters without an account, to whom the outcome is mailed.
 */
export class ObjectionsAndStrangers0261 implements MigrationInterface {
  readonly name = 'ObjectionsAndStrangers0000000000261';
  readonly locks = ['moderation_decisions', 'reports', 'users'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE moderation_decisions
        ADD COLUMN subject_sent text,
        ADD COLUMN snapshot jsonb,
        ADD COLUMN objection_decided_by bigint REFERENCES users (id) ON DELETE SET NULL;
      -- This index is used to find the decisions about an object.
      CREATE INDEX moderation_decisions_subject ON moderation_decisions (subject_type, subject_id);

      ALTER TABLE reports
        -- The name and the language of a reporter without an account.
        ADD COLUMN reporter_name text,
        ADD COLUMN reporter_locale text,
        -- When the mail with the outcome was added to the mail queue, and when the mail server accepted the mail.
        ADD COLUMN answer_queued_at timestamptz,
        ADD COLUMN answer_mailed_at timestamptz;
      CREATE UNIQUE INDEX reports_one_open_by_mail ON reports (lower(reporter_email), subject_type, subject_id) WHERE outcome IS NULL AND reporter_email IS NOT NULL;
      CREATE INDEX reports_reporter_email ON reports (lower(reporter_email), created_at) WHERE reporter_email IS NOT NULL;
      CREATE INDEX reports_to_answer ON reports (id) WHERE reporter_email IS NOT NULL AND outcome IS NOT NULL AND answer_queued_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX reports_to_answer, reports_reporter_email, reports_one_open_by_mail, moderation_decisions_subject;
      ALTER TABLE reports DROP COLUMN answer_mailed_at, DROP COLUMN answer_queued_at, DROP COLUMN reporter_locale, DROP COLUMN reporter_name;
      ALTER TABLE moderation_decisions DROP COLUMN objection_decided_by, DROP COLUMN snapshot, DROP COLUMN subject_sent;
    `);
  }
}
