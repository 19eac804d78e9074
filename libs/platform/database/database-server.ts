import { Injectable, Logger } from '@nestjs/common';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../config/settings';
import { StartupError } from '../config/startup-error';
import { reasonOf } from '../text/reason';
import { isUnavailable } from './availability';
import { isHome } from './embedded/cluster';
import { openEmbeddedPostgres } from './embedded/embedded-postgres';
import { ServerClient } from './server-client';

/**
 * The PostgreSQL server that this process uses: the server of DATABASE_URL, or the embedded PostgreSQL, which several
 * processes can share.
 */
@Injectable()
export class DatabaseServer {
  private constructor(
    /**
     * The URL of PostgreSQL itself, for work that must keep one session: migrations, locks of jobs, the mail queue,
     * LISTEN, backups.
     */
    readonly url: string,
    /**
     * The URL for work that does not have to keep one session, such as HTTP requests. `pooled`: whether this URL leads
     * to a pooler, whose connections keep no state between transactions (OPS-60).
     */
    readonly requests: { readonly url: string; readonly pooled: boolean },
    private readonly releaseServer: () => Promise<void>,
  ) {}

  /** Whether `open` would use an existing database. If false, `open` would create a new embedded database. */
  static exists({ databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>): boolean {
    return databaseUrl !== null || isHome(embeddedFolder(dataDir));
  }

  /**
   * If DATABASE_URL is set, waits until its server answers, because PostgreSQL and the service may start at the same
   * time. Then does the same for DATABASE_LISTEN_URL if it is set. Without DATABASE_URL, uses the embedded PostgreSQL,
   * which is started if it is not running.
   *
   * @throws StartupError with a message of one line, if the server does not answer in time or cannot be used
   */
  static async open(
    settings: Pick<Settings, 'databaseUrl' | 'databaseListenUrl' | 'databaseTimeoutSeconds' | 'dataDir'>,
  ): Promise<DatabaseServer> {
    const { databaseUrl: url, databaseListenUrl: direct, databaseTimeoutSeconds } = settings;
    if (url !== null) {
      const { pooled } = await waitForServer('DATABASE_URL', url, databaseTimeoutSeconds);
      if (pooled && direct === null) throw new StartupError(POOLER_WITHOUT_DIRECT_URL);
      if (direct !== null && (await waitForServer('DATABASE_LISTEN_URL', direct, databaseTimeoutSeconds)).pooled)
        throw new StartupError(DIRECT_URL_IS_POOLER);
      return new DatabaseServer(direct ?? url, { url, pooled }, () => Promise.resolve());
    }
    const postgres = await openEmbeddedPostgres({ folder: embeddedFolder(settings.dataDir) });
    return new DatabaseServer(postgres.url, { url: postgres.url, pooled: false }, () => postgres.release());
  }

  /**
   * Releases this process's share of the embedded PostgreSQL, which stops when no process has a share. Does nothing for
   * the server of DATABASE_URL.
   */
  async release(): Promise<void> {
    await this.releaseServer();
  }
}

function embeddedFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/**
 * Milliseconds to wait for the connection, and then for the answer to the query. The second wait is also limited,
 * because a pooler can accept a connection before PostgreSQL can answer.
 */
const ANSWER_TIMEOUT_MS = 2_000;
const OLDEST_VERSION = 15;
const ENCODING = 'UTF8';
const POOLER_WITHOUT_DIRECT_URL =
  'DATABASE_URL leads to a pooler: set DATABASE_LISTEN_URL to the address of PostgreSQL itself, for migrations, jobs, mail and LISTEN.';
const DIRECT_URL_IS_POOLER = 'DATABASE_LISTEN_URL leads to a pooler: it must be the address of PostgreSQL itself.';

/** Waits at most `seconds` until the server answers, and checks its version and encoding. */
async function waitForServer(setting: string, url: string, seconds: number): Promise<{ pooled: boolean }> {
  const log = new Logger(DatabaseServer.name);
  const deadline = performance.now() + seconds * 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      const { version, encoding, pooled } = await describeServer(url);
      if (version < OLDEST_VERSION)
        throw new StartupError(`${setting} points to a PostgreSQL ${version}; it must be ${OLDEST_VERSION} or newer.`);
      if (encoding !== ENCODING)
        throw new StartupError(
          `The database of ${setting} has the encoding ${encoding}; create it with ENCODING '${ENCODING}'.`,
        );
      return { pooled };
    } catch (error) {
      if (error instanceof StartupError) throw error;
      const reason = reasonOf(error);
      if (!isUnavailable(error)) throw new StartupError(`The database of ${setting} refuses the connection: ${reason}`);
      if (performance.now() > deadline)
        throw new StartupError(`The database of ${setting} has not answered for ${seconds} seconds: ${reason}`);
      if (attempt === 1) log.warn(`Waiting for the database of ${setting}: ${reason}`);
      await pause(500);
    }
  }
}

/**
 * `pooled`: whether a pooler is between this process and PostgreSQL. PostgreSQL sends each client the id of the server
 * process that serves it; the client needs this id to cancel a query. A pooler sends a different id, because the
 * server process can change during a connection.
 */
async function describeServer(
  url: string,
): Promise<{ version: number; encoding: string | undefined; pooled: boolean }> {
  const client = new ServerClient({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; encoding: string; pid: number }>(
      `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding, pg_backend_pid() AS pid`,
    );
    const { processID } = client as unknown as { processID: number };
    return {
      version: Math.floor(Number(rows[0]?.version) / 10_000),
      encoding: rows[0]?.encoding,
      pooled: processID !== rows[0]?.pid,
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}
