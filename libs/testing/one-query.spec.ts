import { Client } from 'pg';
import { refuseParallelQueries } from './one-query';
import { createTestDatabase } from './test-database';

// A connection of pg runs one query at a time. pg can put further queries into a queue, but this queue is deprecated.
describe('refuseParallelQueries', () => {
  it('refuses a second query on a busy connection, and allows sequential queries', async () => {
    refuseParallelQueries();
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const first = client.query('SELECT 1 AS one');
    expect(() => client.query('SELECT 2')).toThrow(
      'a query was sent on a connection that is still running another query (pg: "already executing a query"): SELECT 2',
    );
    expect((await first).rows).toEqual([{ one: 1 }]);
    await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
    expect((await client.query({ text: 'SELECT 3 AS three' })).rows).toEqual([{ three: 3 }]);
    await client.end();
    await database.drop();
  });
});
