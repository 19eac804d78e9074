import { setTimeout as pause } from 'node:timers/promises';
import { DATABASE_TIMEOUTS, type Settings } from '#platform/config/settings';
import { command, withClient } from '#testing/test-cluster';
import { createEmptyDatabase, type TestDatabase } from '#testing/test-database';
import { openReplication } from './open-replication';

const END_WATCHES = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'events-watch' AND datname = current_database()`;
const POSITION = `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS position`;

// OPS-82
describe('the position that every replica must have reached', () => {
  let test: TestDatabase;
  beforeAll(async () => (test = await createEmptyDatabase()));
  afterAll(() => test.drop());

  it('is read again after the connection to the primary was lost, because notifications may have been lost', async () => {
    const settings = {
      databaseReplicaUrls: [test.url],
      databaseReplicaMaxLag: 600,
      databasePool: 1,
      databaseTimeouts: DATABASE_TIMEOUTS,
      redisUrl: null,
    } as unknown as Settings;
    const replication = (await openReplication(settings, test))!;
    const { hidden, replicas } = replication;
    try {
      await replicas.check();
      await command(test.url, END_WATCHES);
      await command(test.url, 'CREATE TABLE written_meanwhile (id bigint)');
      const position = await withClient(
        test.url,
        async (client) => (await client.query<{ position: number }>(POSITION)).rows[0]!.position,
      );
      replicas.start();
      for (let i = 0; i < 500 && (hidden.required < position || hidden.required === Infinity); i++) await pause(20);
      expect(hidden.required).toBeGreaterThanOrEqual(position);
      expect(hidden.required).toBeLessThan(Infinity);
    } finally {
      await replicas.stop();
    }
  });
});
