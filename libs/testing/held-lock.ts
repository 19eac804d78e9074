import type { TestServer } from './test-server';
import { waitUntil } from './wait-until';

/**
 * Locks the row `id` of `table`, starts a request, and waits until the request waits for the lock. Then runs `changes`
 * and commits. So the request makes its first checks before `changes`, and continues after the commit.
 */
export async function changeWhileWaiting<T>(
  server: TestServer,
  [table, id]: readonly [table: 'all_events' | 'all_groups', id: number],
  request: () => Promise<T>,
  changes: () => Promise<unknown>,
): Promise<T> {
  await server.sql('BEGIN');
  try {
    await server.sql(`SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
    const answer = request();
    await untilWaitingForLock(server, 1);
    await changes();
    await server.sql('COMMIT');
    return await answer;
  } catch (error) {
    await server.sql('ROLLBACK');
    throw error;
  }
}

/** Resolves when at least `count` connections to the server's database wait for a lock. */
export async function untilWaitingForLock(server: TestServer, count: number): Promise<void> {
  const waiting = async () => {
    // In a transaction, PostgreSQL reads pg_stat_activity only once. Without this statement, each later query would
    // return the same rows as the first one.
    await server.sql('SELECT pg_stat_clear_snapshot()');
    return server.sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  };
  await waitUntil(async () => (await waiting()).length >= count);
}
