import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests of one person that wait, as a function: a page of events needs it only for who has many, and as a part of the page's
 * statement it cost every page a tenth of its time to be made ready.
 */
export class PendingRequests0210 implements MigrationInterface {
  readonly name = 'PendingRequests0000000000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- How many requests of a person wait; those for what is out of sight do not count. No further than so many are counted; null: all.
      CREATE FUNCTION f_pending_requests(requester bigint, at_most bigint) RETURNS integer LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (SELECT count(*) FROM (
          SELECT FROM participations r
           WHERE r.user_id = requester AND r.status = 'requested' AND EXISTS (SELECT FROM events e WHERE e.id = r.event_id)
           LIMIT at_most) pending);
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION f_pending_requests(bigint, bigint)');
  }
}
