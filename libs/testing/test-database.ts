import { randomBytes } from 'node:crypto';
import { migrate } from '#platform/database/migrations';
import { ADMIN_URL, command, withClient, TEMPLATE, withDatabase } from './test-cluster';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * The templates that exist. Each process makes sure only once, because a connection costs PostgreSQL about 25 ms of
 * processor time.
 */
const templates = new Map<string, Promise<void>>();

/** Creates a migrated database for a test file, by copying the template database of the test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = testCluster();
  if (!templates.has(template)) templates.set(template, makeTemplate(adminUrl, template));
  await templates.get(template);
  return copyOf(adminUrl, template);
}

/** Like `createTestDatabase`, but without migrations: an empty database. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return copyOf(testCluster().adminUrl, 'template0');
}

async function copyOf(adminUrl: string, template: string): Promise<TestDatabase> {
  const name = `events_test_${randomBytes(6).toString('hex')}`;
  // The embedded PostgreSQL runs without `fsync`, so copying files is faster there than writing their pages to the WAL.
  const strategy = process.env['TEST_DATABASE_URL'] ? 'WAL_LOG' : 'FILE_COPY';
  await command(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${strategy}`);
  return {
    url: withDatabase(adminUrl, name),
    drop: () => command(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Creates the template database if it does not exist. Test files that need it meanwhile wait until it is complete. */
async function makeTemplate(adminUrl: string, template: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    const existing = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (existing.rowCount) return;
    const draft = `${template}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft}`);
    await client.query(`CREATE DATABASE ${draft} TEMPLATE template0 ENCODING 'UTF8'`);
    await migrate(withDatabase(adminUrl, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  });
}

function testCluster(): { adminUrl: string; template: string } {
  const { [ADMIN_URL]: adminUrl, [TEMPLATE]: template } = process.env;
  if (!adminUrl || !template) throw new Error("There is no test cluster: jest's globalSetup did not run.");
  return { adminUrl, template };
}
