import { statement } from '#platform/database/database';
import { TestServer } from '#testing/test-server';

/**
 * docs/adr/0003-named-sql-and-entities.md: PostgreSQL makes a plan either for the given parameter values (a custom
 * plan) or for all values (a generic plan). If a connection of a test server has made more than six custom plans of a
 * named statement, the test fails when the server stops.
 */
describe('plans of named statements', () => {
  const QUERY = statement('statement_plans_query', 'SELECT count(*) FROM users WHERE id = $1');
  const runRepeatedly = async (server: TestServer, mode: string): Promise<void> =>
    server.database.transaction(async (tx) => {
      await tx.manager.query(`SET plan_cache_mode = ${mode}`);
      for (let n = 0; n < 8; n++) await tx.rows(QUERY, [n]);
    });

  it('are always generic in the sessions of the service', async () => {
    const server = await TestServer.start();
    try {
      const petr = await server.person('petr');
      for (let n = 0; n < 10; n++) await petr.api.get('/discover/events');
      const plans = await server.database.rows<{ custom: string; generic: string }>(
        statement(
          'statement_plans_counts',
          `SELECT custom_plans AS custom, generic_plans AS generic FROM pg_prepared_statements WHERE name LIKE '%identity_token_with_account'`,
        ),
      );
      expect(plans).toEqual([{ custom: '0', generic: expect.any(String) as string }]);
    } finally {
      await server.stop();
    }
  });

  it('cause an error when the test server stops, if one connection has made more than six custom plans of a statement', async () => {
    const server = await TestServer.start();
    await runRepeatedly(server, 'force_custom_plan');
    await expect(server.stop()).rejects.toThrow('statement_plans_query: 8');
  });
});
