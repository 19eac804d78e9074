import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '#platform/net/free-port';
import { waitUntil } from './wait-until';

const PROGRAM = 'pgbouncer';
/** PgBouncer refuses to run as root. If the tests run as root, PgBouncer runs as this account. */
const ACCOUNT = 'nobody';

/** Whether the program `pgbouncer` (Debian package `pgbouncer`) can be started. */
export function pgbouncerIsInstalled(): boolean {
  return spawnSync(PROGRAM, ['--version']).status === 0;
}

/**
 * A PgBouncer for one test, in front of a PostgreSQL database. It runs in transaction mode, and accepts every client
 * without a password. `url` is the address of this PgBouncer.
 */
export class PgBouncer {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /**
   * Starts PgBouncer, and returns when it answers. `url`: the address of the database; `connections`: the maximum
   * number of connections to the database.
   */
  static async start(url: string, connections: number): Promise<PgBouncer> {
    const { hostname, port, username, password, pathname } = new URL(url);
    const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
    const listenPort = await freePort();
    const login = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
    const configuration = join(folder, 'pgbouncer.ini');
    writeFileSync(
      configuration,
      `[databases]
pooled = host=${hostname} port=${port} dbname=${decodeURIComponent(pathname.slice(1))} user=${decodeURIComponent(username)}${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
`,
    );
    const args = process.getuid?.() === 0 ? ['-q', '-u', ACCOUNT, configuration] : ['-q', configuration];
    const bouncer = new PgBouncer(
      `postgres://events@127.0.0.1:${listenPort}/pooled`,
      folder,
      spawn(PROGRAM, args, { stdio: 'ignore' }),
    );
    try {
      await waitUntil(() => isAnswering(bouncer.url));
      return bouncer;
    } catch (error) {
      await bouncer.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
