import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Function f_pending_requests(): the number of a person's pending requests for events in the view `events`, at most
 * `at_most`. The count is a function, because with a subquery PostgreSQL would need more time to plan each statement
 * that reads a page of events.
 */
export class PendingRequests0210 implements MigrationInterface {
  readonly name = 'PendingRequests0000000000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
