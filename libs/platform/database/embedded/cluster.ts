import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from '../../workers/is-alive';
import { makeFolder } from '../../config/data-folder';
import { StartupError } from '../../config/startup-error';
import { type Account, accountFor, type Launch, launchFor } from './account';
import { programEnvironment } from './keeper';
import type { Programs } from './programs';

/** The only role in an embedded cluster. */
export const ROLE = 'events';

/**
 * The home of an embedded cluster on disk. `folder` contains the password and the data folder of PostgreSQL
 * (`cluster`). `launch`: how to start programs of PostgreSQL for this cluster.
 */
export interface Home {
  readonly folder: string;
  readonly cluster: string;
  readonly password: string;
  readonly launch: Launch;
}

/** Whether `folder` is the home of an embedded cluster. */
export function isHome(folder: string): boolean {
  return existsSync(join(folder, 'cluster', 'PG_VERSION'));
}

/**
 * Opens the cluster in `folder`, or creates it. The last step of the creation is a rename, so an interrupted creation
 * leaves no incomplete cluster. If two processes create the cluster at the same time, one cluster is created, and both
 * processes use it. A cluster that is not `durable` is disposable: the keeper (the shell that runs PostgreSQL) removes
 * the folder when no process uses the cluster any more.
 *
 * @throws StartupError if the folder cannot be written or used
 */
export async function openHome(folder: string, programs: Programs, durable: boolean): Promise<Home> {
  try {
    if (!isHome(folder)) await makeHome(folder, programs, durable);
    const cluster = join(folder, 'cluster');
    return {
      folder,
      cluster,
      password: readFileSync(join(folder, 'password'), 'utf8').trim(),
      launch: launchFor(accountFor(cluster), programs.postgres, folder, !durable),
    };
  } catch (error) {
    throw asStartupError(error, folder);
  }
}

/** Replaces an error of the file system by a StartupError with one line; returns other errors unchanged. */
export function asStartupError(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof StartupError || typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartupError(`The disk is full: the embedded PostgreSQL cannot write to ${folder}.`);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StartupError(
      `The embedded PostgreSQL cannot use ${folder}: this user may not read or write there. Start as its owner, or set DATA_DIR to another folder.`,
    );
  }
  return new StartupError(`The embedded PostgreSQL cannot use ${folder}: ${(error as Error).message}`);
}

async function makeHome(folder: string, programs: Programs, durable: boolean): Promise<void> {
  makeFolder(dirname(folder));
  removeDrafts(folder);
  const draft = `${folder}.draft-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    const account = accountFor(join(folder, 'cluster'));
    mkdirSync(join(draft, 'cluster'), { recursive: true, mode: 0o700 });
    writeFileSync(join(draft, 'password'), `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
    for (const path of [draft, join(draft, 'cluster'), join(draft, 'password')]) changeOwner(path, account);
    await initialise(draft, programs, launchFor(account, programs.initdb, draft), durable);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // If another process has created the cluster first, that cluster is used.
    if (!isHome(folder)) throw error;
  }
}

async function initialise(draft: string, programs: Programs, launch: Launch, durable: boolean): Promise<void> {
  const [program, ...rest] = [
    ...launch.prefix,
    programs.initdb,
    `--pgdata=${join(draft, 'cluster')}`,
    `--pwfile=${join(draft, 'password')}`,
    `--username=${ROLE}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
    '--lc-collate=C',
    '--lc-messages=C',
    // A disposable cluster uses one round of SCRAM instead of the default 4096: 4096 rounds take 5 ms for each
    // connection, and a test server opens a dozen connections.
    ...(durable ? [] : ['--no-sync', '--set=scram_iterations=1']),
  ];
  try {
    await promisify(execFile)(program!, rest, { ...launch.account, cwd: '/', env: programEnvironment() });
  } catch (error) {
    const output = (error as { stderr?: string }).stderr ?? '';
    refuseFullDisk(output);
    const reason =
      /(?:error|FATAL|PANIC): +(.*)/.exec(output)?.[1] ?? (output.trim().split('\n')[0] || (error as Error).message);
    throw new StartupError(`The embedded PostgreSQL cannot create its cluster in ${draft}: ${reason}`);
  }
}

/** Throws the error ENOSPC if the output of a program of PostgreSQL reports a full disk. */
export function refuseFullDisk(output: string): void {
  if (/No space left on device|quota exceeded|free disk space/i.test(output))
    throw Object.assign(new Error(), { code: 'ENOSPC' });
}

/**
 * Changes the owner of a path to the account under which PostgreSQL runs. If `account` is null, PostgreSQL runs under
 * the current account, and the owner is not changed.
 */
export function changeOwner(path: string, account: Account | null): void {
  if (account) chownSync(path, account.uid, account.gid);
}

/** Removes incomplete clusters that were left by processes that no longer run. */
function removeDrafts(folder: string): void {
  const drafts = new RegExp(`^${basename(folder).replace(/\W/g, '\\$&')}\\.draft-(\\d+)-`);
  for (const name of readdirSync(dirname(folder))) {
    const pid = Number(drafts.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isAlive(pid)) rmSync(join(dirname(folder), name), { recursive: true, force: true });
  }
}
