import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
// Only relative imports work here and in the imported files: jest does not apply its module mapping to globalSetup.
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres';

/**
 * Environment variables with which jest's workers find the PostgreSQL of the run (a URL) and the template database (a
 * name).
 */
export const ADMIN_URL = 'TEST_ADMIN_URL';
export const TEMPLATE = 'TEST_TEMPLATE';

/** One PostgreSQL for a whole test run. */
export interface TestCluster {
  /** The URL of a database. A connection to it can create and drop other databases. */
  readonly adminUrl: string;
  /**
   * Name of the migrated database that is copied for every test file. The first test file that needs this database
   * creates it.
   */
  readonly template: string;
  close(): Promise<void>;
}

/**
 * Uses the PostgreSQL of TEST_DATABASE_URL; its role must be allowed to create databases. Without this variable, opens
 * an embedded PostgreSQL in a temporary folder. The folder is removed when the process ends, for any reason.
 */
export async function openTestCluster(): Promise<TestCluster> {
  const configuredUrl = process.env['TEST_DATABASE_URL'] || null;
  const embedded: EmbeddedPostgres | null =
    configuredUrl === null ? await openEmbeddedPostgres({ folder: temporaryFolder(), durable: false }) : null;
  const adminUrl = embedded?.url ?? configuredUrl!;
  // A process that a test run starts inherits the name of the run's template. Only the run that chose this name drops
  // the template.
  const inheritedTemplate = process.env[TEMPLATE] || null;
  const template = inheritedTemplate ?? `events_template_${randomBytes(6).toString('hex')}`;
  return {
    adminUrl,
    template,
    close: async () => {
      if (embedded) await embedded.release();
      else if (inheritedTemplate === null) await command(adminUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    },
  };
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.toString();
}

/** Runs one statement on a separate connection. */
export async function command(url: string, sql: string): Promise<void> {
  await withClient(url, (client) => client.query(sql));
}

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function temporaryFolder(): string {
  return join(tmpdir(), `events-tests-${process.pid}-${randomBytes(4).toString('hex')}`);
}
