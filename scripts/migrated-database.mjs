import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('../libs/testing/register-typescript.cjs');
const { migrate } = require('../libs/platform/database/migrations.ts');
const { command, openTestCluster, withDatabase } = require('../libs/testing/test-cluster.ts');

/**
 * Calls `work` with the URL of a new database to which all migrations and SQL files have been applied. The embedded
 * PostgreSQL is used, because another version can print definitions differently, and PostgreSQL 15 has no
 * `EXPLAIN (GENERIC_PLAN)`.
 */
export async function withMigratedDatabase(work) {
  delete process.env['TEST_DATABASE_URL'];
  const cluster = await openTestCluster();
  const database = `events_check_${process.pid}`;
  try {
    await command(cluster.adminUrl, `CREATE DATABASE ${database} TEMPLATE template0 ENCODING 'UTF8'`);
    const url = withDatabase(cluster.adminUrl, database);
    await migrate(url);
    return await work(url);
  } finally {
    await command(cluster.adminUrl, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await cluster.close();
  }
}
