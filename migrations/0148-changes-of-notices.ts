import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Triggers that add an entry to the feed of changes (migration 0145) when a notice is created, and when `read_at` of a
 * notice changes. They run once for each statement, because one statement can write thousands of notices.
 */
export class ChangesOfNotices0148 implements MigrationInterface {
  readonly name = 'ChangesOfNotices0000000000148';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION tell_notices() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO changes (topic_kind, topic_id, type, subject_id, counted, by_id)
        SELECT 'account', n.user_id, 'notice.created', n.id, false, NULL FROM told n ORDER BY n.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER changes_are_told AFTER INSERT ON notifications REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION tell_notices();

      CREATE FUNCTION tell_notices_read() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO changes (topic_kind, topic_id, type, subject_id, counted, by_id)
        SELECT 'account', n.user_id, 'notice.updated', n.id, false, change_teller() FROM told n JOIN before b USING (id)
         WHERE n.read_at IS DISTINCT FROM b.read_at ORDER BY n.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER changes_are_told_updated AFTER UPDATE ON notifications REFERENCING OLD TABLE AS before NEW TABLE AS told
        FOR EACH STATEMENT EXECUTE FUNCTION tell_notices_read();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER changes_are_told ON notifications;
      DROP TRIGGER changes_are_told_updated ON notifications;
      DROP FUNCTION tell_notices(), tell_notices_read();
    `);
  }
}
