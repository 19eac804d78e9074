import { spawn } from 'node:child_process';
import { closeSync, fchownSync, openSync, renameSync, statSync } from 'node:fs';
import type { Account, Launch } from './account';

/**
 * The keeper: a small shell in its own session that runs PostgreSQL while any process holds a lease (lease.ts). Its
 * standard input is the pipe of the leases, which ends when the last process has exited in any way. A line on it is the
 * name of a new lease; the keeper confirms the lease by creating a file of that name. If PostgreSQL dies while it has
 * users, and was ready before, the keeper restarts it. $1 is the keeper's folder, $2 a folder to remove at the end or
 * empty, and the rest is PostgreSQL's command.
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

const LARGEST_LOG = 1_000_000;

/** Starts a keeper. It does not prevent this process from exiting, and a Ctrl-C for this process does not reach it. */
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
): void {
  const { launch, account, readingEnd, run, disposable, logFile } = options;
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
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
    keeper.on('error', () => undefined); // A failed start appears as a lease without a keeper.
    keeper.unref();
  } finally {
    closeSync(log);
    closeSync(readingEnd);
  }
}

/**
 * PostgreSQL gets no variables of this process's environment (PGOPTIONS, PGDATA, secrets); its messages are in English.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_MESSAGES: 'C', TZ: 'UTC' };
}
