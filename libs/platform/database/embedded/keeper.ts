import { spawn } from 'node:child_process';
import { closeSync, fchownSync, openSync, renameSync, statSync } from 'node:fs';
import type { Account, Launch } from './account';

/**
 * The keeper: a tiny shell, in a session of its own, that runs PostgreSQL for as long as anybody holds a lease (lease.ts).
 * Its standard input is the leases' pipe, which ends when the last user has gone, however they went. Lines on it are names
 * of new leases, answered by a file of that name. PostgreSQL that dies under its users is started again, if it had ever
 * been ready. $1 is the keeper's folder, $2 a folder to remove at the end or empty, the rest is PostgreSQL's command.
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

/** Starts a keeper. It does not hold this process open, and a Ctrl-C meant for this process does not reach it. */
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
    keeper.on('error', () => undefined); // It shows as a lease that nobody keeps.
    keeper.unref();
  } finally {
    closeSync(log);
    closeSync(readingEnd);
  }
}

/** Nothing of our own environment (PGOPTIONS, PGDATA, secrets) reaches PostgreSQL; its messages are in English. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_MESSAGES: 'C', TZ: 'UTC' };
}
