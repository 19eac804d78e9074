import type { Statement } from '#platform/database/database';
import type { Host } from './host';

/** A plan of PostgreSQL, as lines: `Index Scan using groups_nearest on groups g`, without costs. */
export async function planOf(server: Host, sql: Statement, values: readonly unknown[]): Promise<string[]> {
  const rows = await server.database.rows<{ 'QUERY PLAN': string }>(
    { name: `explain_${sql.name}`, text: `EXPLAIN (COSTS OFF) ${sql.text}` },
    values,
  );
  return rows.map((row) => row['QUERY PLAN'].replace(/^[\s>-]*/, ''));
}
