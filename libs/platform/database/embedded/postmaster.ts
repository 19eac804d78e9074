import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '../../config/startup-error';

/** A PostgreSQL server that runs on a cluster. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** The name of the keeper's folder; null if the server was not started by a keeper. */
  readonly keeperFolder: string | null;
  /** Whether the server has reported that it accepts connections. */
  readonly ready: boolean;
}

/**
 * Finds the server of the cluster by the process id in the file postmaster.pid. Returns null if the server is not
 * running. If another program or the server of another cluster has this id, also removes the file: otherwise PostgreSQL
 * would refuse to start.
 */
export function runningPostmaster(cluster: string): Postmaster | null {
  const pidFile = join(cluster, 'postmaster.pid');
  const text = textOf(pidFile);
  if (text === null) return null;
  const [pidLine = '', folder = '', , port = '', , , , status = ''] = text.split('\n');
  const pid = Number(pidLine);
  const command = Number.isInteger(pid) && pid > 0 ? commandOf(pid) : null;
  if (command?.includes('postgres') && command.includes(folder) && isSameFolder(folder, cluster)) {
    return {
      pid,
      port: Number(port),
      keeperFolder: /cluster_name=(run-\w+)/.exec(command)?.[1] ?? null,
      ready: status.trim() === 'ready',
    };
  }
  if (command !== null && textOf(pidFile) === text) rmSync(pidFile, { force: true });
  return null;
}

/**
 * Stops a server whose keeper was killed, and waits for the end of the server. Throws if the server has not ended after
 * 30 seconds, or if it belongs to another user. SIGINT causes a fast shutdown, which loses no committed data.
 */
export async function stopLeftover(cluster: string, leftover: Postmaster): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (runningPostmaster(cluster)?.pid === leftover.pid) {
    if (performance.now() > deadline)
      throw new StartupError(
        `A PostgreSQL of an earlier start (process ${leftover.pid}) does not end. Stop it, then start again.`,
      );
    try {
      process.kill(leftover.pid, 'SIGINT');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPERM')
        throw new StartupError(
          `The database in ${cluster} is in use by another user's PostgreSQL (process ${leftover.pid}).`,
        );
    }
    await pause(100);
  }
}

/**
 * Whether both paths lead to the same folder. The result is false for a copy of a cluster, because the pid file in the
 * copy contains the path of the original.
 */
function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

/** The command line of a running process; null if the process does not exist. */
function commandOf(pid: number): string | null {
  if (process.platform === 'linux') return textOf(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') || null;
  try {
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
