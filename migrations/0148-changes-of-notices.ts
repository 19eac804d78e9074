import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notices, and the reading of notices, are written to the feed of their recipient (0145). The trigger runs once for
 * each statement, because the cancellation of an event writes notices to thousands of people. `by` is null, because the
 * text of a notice names the person who acted. The deletion of old notices is not reported, because only the passing of
 * time causes it.
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
