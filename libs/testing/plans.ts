import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { isUnavailable } from '#platform/database/availability';
import type { Statement } from '#platform/database/database';
import type { Host } from './host';

/** Returns PostgreSQL's plan of a statement as lines without costs: `Index Scan using groups_nearest on groups g`. */
export async function planOf(server: Host, sql: Statement, values: readonly unknown[]): Promise<string[]> {
  const rows = await server.database.rows<{ 'QUERY PLAN': string }>(
    { name: `explain_${sql.name}`, text: `EXPLAIN (COSTS OFF) ${sql.text}` },
    values,
  );
  return rows.map((row) => row['QUERY PLAN'].replace(/^[\s>-]*/, ''));
}

/**
 * Maximum number of times that PostgreSQL may plan a statement for particular values (a custom plan) on one connection.
 * With `force_generic_plan` (data-source.ts), PostgreSQL makes no custom plans. By default, it makes five custom plans,
 * and then normally one generic plan, which it uses again. A statement with more than six custom plans is probably
 * planned at each use.
 */
const MAX_PLANS_PER_CONNECTION = 6;

/**
 * The named statements that a connection of the pool has planned more often than expected, as `name: times`. Call this
 * function while the pool is idle. The list is empty if the pool is closed or the database is not available.
 */
export async function replannedStatements(dataSource: DataSource): Promise<string[]> {
  if (!dataSource.isInitialized) return [];
  const pool = (dataSource.driver as unknown as { master: Pool }).master;
  const clients: PoolClient[] = [];
  try {
    // `connect` returns every idle connection of the pool before it opens a new one.
    for (let n = pool.totalCount; n > 0; n--) clients.push(await pool.connect());
    const found = await Promise.all(
      clients.map((client) =>
        client.query<{ name: string; times: string }>(
          'SELECT name, custom_plans AS times FROM pg_prepared_statements WHERE custom_plans > $1',
          [MAX_PLANS_PER_CONNECTION],
        ),
      ),
    );
    return found.flatMap(({ rows }) => rows.map(({ name, times }) => `${name}: ${times}`));
  } catch (error) {
    if (isUnavailable(error)) return [];
    throw error;
  } finally {
    for (const client of clients) client.release();
  }
}
