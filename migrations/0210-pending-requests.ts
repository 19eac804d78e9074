import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The number of a person's pending requests, as a function. A page of events needs it only for people with many
 * requests. As a part of the page's statement, its planning would take a tenth of the time of every page.
 */
export class PendingRequests0210 implements MigrationInterface {
  readonly name = 'PendingRequests0000000000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The number of a person's pending requests, except requests for hidden events. Counting stops at at_most; null:
      -- all are counted.
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
