import { spawn } from 'node:child_process';
import { closeSync, fchownSync, fstatSync, openSync, renameSync, statSync } from 'node:fs';
import type { Account, Launch } from './account';

/**
 * The keeper is a small shell in its own session that runs PostgreSQL while any process holds a lease (lease.ts). The
 * standard input of the keeper is the pipe of the leases. The pipe ends when the last process that holds a lease
 * releases it or exits. Each line from the pipe is the name of a new lease, or empty. The keeper confirms a new lease
 * by creating a file with its name. Empty lines are ignored: a process writes them to find out whether the keeper still
 * has the pipe open. If PostgreSQL was ready and dies while processes use it, the keeper restarts PostgreSQL.
 *
 * $1 is the keeper's folder. $2 is a folder that the keeper removes at the end, or an empty text. The other arguments
 * are PostgreSQL's command.
 */
const KEEPER = `
run=$1 disposable=$2; shift 2
trap '' HUP INT TERM
exec 3<&0 </dev/null
while :; do
  "$@" 3<&- & postgres=$!
  {
    while read -r lease; do [ -z "$lease" ] || : > "$run/$lease"; done
    : > "$run/ending"
    while kill -INT "$postgres" 2>/dev/null; do sleep 0.05; done
  } <&3 3<&- & reader=$!
  wait "$postgres"
  if [ -e "$run/ending" ]; then wait "$reader"; break; fi
  kill -KILL "$reader" 2>/dev/null
  [ -e "$run/ready" ] || break
  sleep 1
done
exec 3<&-
[ -z "$disposable" ] || rm -rf "$disposable"
rm -rf "$run"
`;

const MAX_LOG_BYTES = 1_000_000;

/**
 * Starts a keeper, and closes the reading end of the pipe (`readingEnd`) in this process. The keeper does not prevent
 * this process from exiting, and is not stopped by a Ctrl-C for this process.
 *
 * @returns the size of the log in bytes before the keeper writes to it
 */
export function startKeeper(
  options: {
    launch: Launch;
    account: Account | null;
    readingEnd: number;
    run: string;
    disposable: string | null;
    logFile: string;
  },
  command: readonly string[],
): number {
  const { launch, account, readingEnd, run, disposable, logFile } = options;
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  const { size } = fstatSync(log);
  try {
    if (account) fchownSync(log, account.uid, account.gid);
    const [program, ...rest] = [...launch.prefix, '/bin/sh', '-c', KEEPER, 'keeper', run, disposable ?? '', ...command];
    const keeper = spawn(program!, rest, {
      ...launch.account,
      detached: true,
      cwd: '/',
      stdio: [readingEnd, log, log],
      env: programEnvironment(),
    });
    // The caller notices a failed start: no process holds the reading end of the pipe (`Lease.hasKeeper`).
    keeper.on('error', () => undefined);
    keeper.unref();
    return size;
  } finally {
    closeSync(log);
    closeSync(readingEnd);
  }
}

/**
 * The environment of PostgreSQL's programs. It contains no PGOPTIONS, PGDATA or secrets of this process. In this
 * environment, the programs write English messages.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_MESSAGES: 'C', TZ: 'UTC' };
}
