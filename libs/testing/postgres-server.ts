import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { accountFor, launchFor } from '#platform/database/embedded/account';
import { openHome, ROLE } from '#platform/database/embedded/cluster';
import { programEnvironment } from '#platform/database/embedded/keeper';
import { findPrograms } from '#platform/database/embedded/programs';
import { freePort } from '#platform/net/free-port';
import { waitUntil } from './wait-until';

const DATABASE = 'events';
/**
 * As in the PostgreSQL of the whole test run, data need not survive a crash of the machine (`fsync` is off). But
 * `synchronous_commit` keeps its default `on`: a commit waits until this server has written its WAL (write-ahead log),
 * and after `enableSynchronousCommits` also until a standby has written it.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '40',
  shared_buffers: '32MB',
  // A standby that falls behind for a short time still finds the WAL that it missed.
  wal_keep_size: '256MB',
  wal_retrieve_retry_interval: '100ms',
};

/** A PostgreSQL server for one test. A test can create streaming standbys, kill a server, and promote a standby. */
export class PostgresServer {
  private process: ChildProcess | null = null;
  private exited: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly password: string,
  ) {}

  /** A primary with an empty database. */
  static async primary(): Promise<PostgresServer> {
    const folder = newFolder();
    const { password } = await openHome(folder, findPrograms(), false);
    const server = new PostgresServer(folder, await freePort(), password);
    await server.start();
    await server.sql(`CREATE DATABASE ${DATABASE}`, 'postgres');
    return server;
  }

  /** Creates a standby of this server, and returns the standby when it has all data of this server. */
  async standby(): Promise<PostgresServer> {
    const copy = new PostgresServer(newFolder(), await freePort(), this.password);
    const { uid, gid } = statSync(this.cluster);
    mkdirSync(copy.folder, { mode: 0o700 });
    chownSync(copy.folder, uid, gid);
    const client = new Client({ connectionString: this.url });
    await client.connect();
    await client.query(`SELECT pg_backup_start('copy', true)`);
    await promisify(execFile)('cp', ['-a', this.cluster, copy.folder]);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await client.end();
    rmSync(join(copy.cluster, 'postmaster.pid'), { force: true });
    for (const [name, text] of [
      ['backup_label', rows[0]?.labelfile ?? ''],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(copy.cluster, name), text);
      chownSync(join(copy.cluster, name), uid, gid);
    }
    appendFileSync(
      join(copy.cluster, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${this.port} user=${ROLE} password=${this.password} application_name=copy_${copy.port}'\n`,
    );
    await copy.start();
    await this.waitForRow(
      `SELECT 1 FROM pg_stat_replication WHERE application_name = 'copy_${copy.port}' AND state = 'streaming'`,
    );
    return copy;
  }

  get url(): string {
    return `postgres://${ROLE}:${this.password}@127.0.0.1:${this.port}/${DATABASE}`;
  }

  /** A `DATABASE_URL` with several servers, one of which accepts writes. */
  static urlOf(...servers: readonly PostgresServer[]): string {
    return `postgres://${ROLE}:${servers[0]?.password}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${DATABASE}?target_session_attrs=read-write`;
  }

  /** Starts the server on its port, also after it was killed. */
  async start(): Promise<void> {
    const { postgres } = findPrograms();
    const launch = launchFor(accountFor(this.cluster), postgres, this.folder);
    const [program = '', ...rest] = [
      ...launch.prefix,
      postgres,
      '-D',
      this.cluster,
      '-p',
      String(this.port),
      ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    this.process = spawn(program, rest, { ...launch.account, cwd: '/', stdio: 'ignore', env: programEnvironment() });
    this.exited = once(this.process, 'exit');
    await this.waitForRow('SELECT 1', 'postgres');
  }

  /** From now on, a commit returns only when a standby has written the commit to its WAL too. */
  async enableSynchronousCommits(): Promise<void> {
    await this.sql(`ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'`);
    await this.sql('SELECT pg_reload_conf()');
    await this.waitForRow(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'`);
  }

  /** Makes this standby the primary. */
  async promote(): Promise<void> {
    await this.sql('SELECT pg_promote()');
  }

  /** Kills the server with all its processes, as if its machine failed. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }

  /**
   * Pauses the processes of the server, as if its machine had no network: the server answers nothing and closes no
   * connection.
   */
  freeze(): void {
    this.signal('SIGSTOP');
  }

  /** Lets the processes continue that `freeze` has paused. */
  wake(): void {
    this.signal('SIGCONT');
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async sql<Row extends object>(text: string, database = DATABASE): Promise<Row[]> {
    const client = new Client({
      connectionString: this.url.replace(/[^/]*$/, database),
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Repeats the query until it returns a row. */
  private async waitForRow(query: string, database = DATABASE): Promise<void> {
    await waitUntil(async () => (await this.sql(query, database).catch(() => [])).length > 0);
  }

  private signal(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.process ?? {};
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const children = `/proc/${pid}/task/${pid}/children`;
    const childProcesses = existsSync(children)
      ? readFileSync(children, 'utf8').split(' ').filter(Boolean).map(Number)
      : [];
    for (const one of [pid, ...childProcesses]) {
      try {
        process.kill(one, signal);
      } catch {
        // The process has already ended.
      }
    }
  }

  private get cluster(): string {
    return join(this.folder, 'cluster');
  }
}

function newFolder(): string {
  return join(tmpdir(), `postgres-${process.pid}-${randomBytes(4).toString('hex')}`);
}
