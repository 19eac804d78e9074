import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { StartupError } from '../../config/startup-error';
import { freePort } from '../../net/free-port';
import { accountFor } from './account';
import { asStartupError, changeOwner, type Home, openHome, refuseFullDisk, ROLE } from './cluster';
import { startKeeper } from './keeper';
import { Lease } from './lease';
import { findPrograms, type Programs } from './programs';
import { runningPostmaster, stopLeftover } from './postmaster';

/** The share of this process in the embedded PostgreSQL. PostgreSQL stops when no process has a share. */
export interface EmbeddedPostgres {
  /** `postgres://…`, the URL of the database "events". It uses the loopback address and a random password. */
  readonly url: string;
  /** Releases the share. If this was the last share, waits until PostgreSQL has stopped. */
  release(): Promise<void>;
}

interface Options {
  /** The folder for the cluster, its password and its log. It is created if it is missing. */
  readonly folder: string;
  /**
   * False for tests: PostgreSQL is faster, but data may be lost after a power failure, and `folder` is removed after
   * the last release.
   */
  readonly durable?: boolean;
}

/** Milliseconds to wait for PostgreSQL. The time is long, because the recovery after a crash may be slow. */
const READY_TIMEOUT_MS = 90_000;
const DATABASE = 'events';

/**
 * Uses the PostgreSQL that runs in the folder, or starts it (docs/adr/0002-embedded-postgres.md). Any number of
 * processes may call this function simultaneously. PostgreSQL runs until each of them has released its share or has
 * exited.
 *
 * @throws StartupError with a message of one line if PostgreSQL cannot run
 */
export async function openEmbeddedPostgres({ folder, durable = true }: Options): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32')
    throw new StartupError(
      'The embedded PostgreSQL needs Linux or macOS. Set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  const programs = findPrograms();
  const home = await openHome(resolve(folder), programs, durable);
  const resolvedHome: Home = { ...home, folder: realpathSync(home.folder), cluster: realpathSync(home.cluster) };
  const deadline = performance.now() + READY_TIMEOUT_MS;
  try {
    while (performance.now() < deadline) {
      const lease = await takeLease(resolvedHome, programs, durable);
      const url = lease && (await untilReady(resolvedHome, lease, deadline));
      if (lease && url) return { url, release: () => lease.release(durable ? lease.folder : resolvedHome.folder) };
      await pause(100);
    }
  } catch (error) {
    throw asStartupError(error, resolvedHome.folder);
  }
  throw new StartupError(
    `The embedded PostgreSQL was not ready within ${READY_TIMEOUT_MS / 1000} seconds. Its log: ${join(resolvedHome.folder, 'postgres.log')}`,
  );
}

/**
 * Returns a lease (the share of this process in PostgreSQL), and starts PostgreSQL if it is not running. Returns null
 * if the caller has to retry: the running PostgreSQL is stopping, this call has stopped a PostgreSQL without a keeper
 * (the shell that runs PostgreSQL), or the start failed temporarily.
 */
async function takeLease(home: Home, programs: Programs, durable: boolean): Promise<Lease | null> {
  const postmaster = runningPostmaster(home.cluster);
  if (!postmaster) return launch(home, programs, durable);
  const lease = postmaster.keeperFolder ? await Lease.join(join(home.folder, postmaster.keeperFolder)) : 'gone';
  if (lease === 'gone') await stopLeftover(home.cluster, postmaster);
  return lease instanceof Lease ? lease : null;
}

/**
 * Starts a keeper. Returns null after a temporary failure: for example, if two keepers start simultaneously, one of
 * them finds the cluster in use and exits.
 */
async function launch(home: Home, programs: Programs, durable: boolean): Promise<Lease | null> {
  const account = accountFor(home.cluster);
  const name = `run-${randomBytes(6).toString('hex')}`;
  const run = join(home.folder, name);
  const logFile = join(home.folder, 'postgres.log');
  mkdirSync(run, { mode: 0o700 });
  const { lease, readingEnd } = Lease.first(run);
  changeOwner(run, account);
  changeOwner(join(run, 'lease'), account);
  const port = await freePort();
  const logOffset = startKeeper(
    { launch: home.launch, account, readingEnd, run, disposable: durable ? null : home.folder, logFile },
    [programs.postgres, '-D', home.cluster, '-p', String(port), ...configuration(name, durable)],
  );
  while (lease.hasKeeper) {
    // The running PostgreSQL was started by this call, or by another process at the same time.
    const postmaster = runningPostmaster(home.cluster);
    if (postmaster?.keeperFolder === name) {
      removeOldRuns(home.folder);
      return lease;
    }
    await pause(20);
  }
  rmSync(run, { recursive: true, force: true });
  await lease.release();
  throwUnlessTemporary(readFileSync(logFile).subarray(logOffset).toString('utf8'), logFile);
  return null;
}

/**
 * Removes the folders of killed keepers. Recent folders are not removed, because they may belong to a start in
 * progress.
 */
function removeOldRuns(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith('run-'))) {
    const run = join(folder, name);
    // eslint-disable-next-line no-restricted-syntax -- compared with the time of a file, before the service has a Clock
    const age = Date.now() - (statSync(run, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > 60_000 && !Lease.hasKeeperIn(run)) rmSync(run, { recursive: true, force: true });
  }
}

const DISPOSABLE_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '2GB',
  // Test files run in parallel, and some start several servers, each with its own pools: more than the default of 100.
  max_connections: '400',
};

function configuration(run: string, durable: boolean): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    cluster_name: run,
    // Errors of statements are not logged, because violations of constraints are frequent and expected.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    jit: 'off',
    ...(durable ? {} : DISPOSABLE_SETTINGS),
  };
  return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/**
 * Matches the log of a temporary failure, after which a retry can succeed: another process has started or is stopping
 * PostgreSQL on the cluster, or the port was in use.
 */
const TEMPORARY_FAILURE =
  /lock file ".*" already exists|pre-existing shared memory block|Address already in use|could not create any TCP\/IP sockets/;

function throwUnlessTemporary(log: string, logFile: string): void {
  if (TEMPORARY_FAILURE.test(log)) return;
  refuseFullDisk(log);
  const reason = /(?:FATAL|PANIC): +(.*)/.exec(log)?.[1] ?? log.trim().split('\n').at(-1) ?? '';
  throw new StartupError(`The embedded PostgreSQL does not start: ${reason || 'its log is empty'} (log: ${logFile})`);
}

/**
 * Waits until the server answers, and returns its URL. If the keeper exits or the deadline passes first, releases the
 * lease and returns null.
 */
async function untilReady(home: Home, lease: Lease, deadline: number): Promise<string | null> {
  while (lease.hasKeeper && performance.now() < deadline) {
    const postmaster = runningPostmaster(home.cluster);
    // The name of the folder shows that the running PostgreSQL belongs to the keeper of this lease.
    if (postmaster?.ready && lease.folder.endsWith(postmaster.keeperFolder ?? '-')) {
      const url = (database: string) => `postgres://${ROLE}:${home.password}@127.0.0.1:${postmaster.port}/${database}`;
      if (await ensureDatabase(url)) {
        // When this file exists, the keeper restarts the server after a crash.
        if (!existsSync(join(lease.folder, 'ready'))) writeFileSync(join(lease.folder, 'ready'), '');
        return url(DATABASE);
      }
    }
    await pause(30);
  }
  await lease.release();
  return null;
}

/** Creates the database if it is missing. Returns false if the server does not answer or the creation fails. */
async function ensureDatabase(url: (database: string) => string): Promise<boolean> {
  try {
    await runStatement(url(DATABASE), 'SELECT 1');
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') return false;
    // At the first start of a cluster the database does not exist. Another process may be creating it at the same time.
    return runStatement(url('postgres'), `CREATE DATABASE ${DATABASE}`).then(
      () => true,
      () => false,
    );
  }
}

async function runStatement(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => undefined);
  }
}
