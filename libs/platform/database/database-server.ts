import { Injectable, Logger } from '@nestjs/common';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Settings } from '../config/settings';
import { StartupError } from '../config/startup-error';
import { isUnavailable } from './availability';
import { openEmbeddedPostgres } from './embedded/embedded-postgres';

/** The PostgreSQL this process works with: the one of DATABASE_URL, or a share in the embedded one. */
@Injectable()
export class DatabaseServer {
  private constructor(
    readonly url: string,
    readonly embedded: boolean,
    private readonly letGo: () => Promise<void>,
  ) {}

  /**
   * Starts or joins the embedded PostgreSQL, or waits until the external one answers (it may be starting beside us).
   * @throws StartupError in one line
   */
  static async open(settings: Pick<Settings, 'databaseUrl' | 'databasePatience' | 'dataDir'>): Promise<DatabaseServer> {
    if (settings.databaseUrl !== null) {
      await untilItAnswers(settings.databaseUrl, settings.databasePatience);
      return new DatabaseServer(settings.databaseUrl, false, () => Promise.resolve());
    }
    const postgres = await openEmbeddedPostgres({ folder: join(settings.dataDir, 'postgres') });
    return new DatabaseServer(postgres.url, true, () => postgres.release());
  }

  /** Ends the share. The embedded PostgreSQL stops with its last user. */
  async release(): Promise<void> {
    await this.letGo();
  }
}

const OLDEST = 15;
const ENCODING = 'UTF8';

/** `seconds`: how long one that does not answer is asked again. */
async function untilItAnswers(url: string, seconds: number): Promise<void> {
  const log = new Logger(DatabaseServer.name);
  const patience = performance.now() + seconds * 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      const { version, encoding } = await natureOf(url);
      if (version < OLDEST) throw new StartupError(`DATABASE_URL points to a PostgreSQL ${version}; it must be ${OLDEST} or newer.`);
      if (encoding !== ENCODING) throw new StartupError(`The database of DATABASE_URL has the encoding ${encoding}; it must be made with ENCODING '${ENCODING}'.`);
      return;
    } catch (error) {
      if (error instanceof StartupError) throw error;
      const reason = (error as Error).message || String((error as { code?: unknown }).code);
      if (!isUnavailable(error)) throw new StartupError(`The database of DATABASE_URL refuses us: ${reason}`);
      if (performance.now() > patience) throw new StartupError(`The database of DATABASE_URL has not answered for ${seconds} seconds: ${reason}`);
      if (attempt === 1) log.warn(`Waiting for the database of DATABASE_URL: ${reason}`);
      await pause(500);
    }
  }
}

async function natureOf(url: string): Promise<{ version: number; encoding: string | undefined }> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; encoding: string }>(
      `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding`,
    );
    return { version: Math.floor(Number(rows[0]?.version) / 10_000), encoding: rows[0]?.encoding };
  } finally {
    await client.end().catch(() => undefined);
  }
}
