// Starts and stops the built service in the same way as an operator does. The service has its own port and, unless
// `DATABASE_URL` is set, its own database.
import { fork, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../scripts/free-port.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const CLI = resolve(ROOT, 'dist/apps/cli/main.js');
const START_TIMEOUT_MS = 180_000;

/** Settings of services whose requests are measured: no jobs, no log of requests, and practically no rate limits. */
export const MEASURED = {
  APP_SECRET: 'the secret of the benchmark, which guards nothing',
  JOBS: 'off',
  REQUEST_LOG: 'off',
  RATE_LIMIT_TOKEN_PER_MINUTE: '1000000000',
  RATE_LIMIT_IP_PER_MINUTE: '1000000000',
};

/** A start time for events. It is in the future during the whole benchmark. */
export const IN_A_MONTH = new Date(Date.now() + 30 * 86_400_000).toISOString();

/** Node's flags for the server of a checkout. The list is empty if the version of the checkout defines no flags. */
async function flagsOf(root) {
  const flagsFile = resolve(root, 'scripts/node-flags.mjs');
  return existsSync(flagsFile) ? (await import(pathToFileURL(flagsFile).href)).NODE_FLAGS : [];
}

/**
 * Starts the service that was built in the checkout `root`. Returns {origin, pid, startedMs, stop()}; `startedMs` is
 * the time from spawning to the first response with the status 200.
 */
export async function startService(env, root = ROOT) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const since = performance.now();
  const child = spawn(process.execPath, [...(await flagsOf(root)), resolve(root, 'dist/apps/server/main.js')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      MALLOC_ARENA_MAX: '2',
      LOG_LEVEL: 'error',
      DEMO_DATA: 'off',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise((done) => child.on('exit', done));
  let hasExited = false;
  void ended.then(() => (hasExited = true));
  for (;;) {
    const answer = await fetch(`${origin}/health/live`).catch(() => null);
    if (answer?.status === 200) break;
    if (hasExited || performance.now() - since > START_TIMEOUT_MS) {
      child.kill('SIGKILL');
      throw new Error('the service did not start');
    }
    await pause(5);
  }
  return {
    origin,
    pid: child.pid,
    startedMs: performance.now() - since,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Creates people and events with the operator's command line, in the database and the data folder that `env`
 * configures. Returns the output of the command.
 */
export function apply(document, env) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [CLI, 'apply', '-'], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'error', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let answer = '';
    child.stdout.on('data', (chunk) => (answer += chunk));
    child.on('exit', (code) => (code === 0 ? done(JSON.parse(answer)) : failed(new Error('apply failed'))));
    child.stdin.end(JSON.stringify(document));
  });
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** User and system time that a process has used, in microseconds. The unit of the file `stat` is 10 ms. */
export function cpuMicroseconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/**
 * Processor time of a local process's main thread in milliseconds, with a resolution of a nanosecond; NaN if this
 * machine has no process with this id, or does not count its time.
 */
export function cpuMs(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return NaN;
  }
}

/**
 * Processor time in microseconds of each running child process of `parent`, by pid. The children of a postmaster
 * (PostgreSQL's main process) are PostgreSQL's backends and background processes.
 */
export function childrensCpuMicroseconds(parent) {
  const found = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) found.set(pid, cpuMicroseconds(pid));
    } catch {
      // The process has ended since the list was read.
    }
  }
  return found;
}

/**
 * Runs `work`. Returns {result, node, database}: the result of `work`, and the microseconds of processor time that the
 * service `pid` and the backends of the PostgreSQL `postmaster` used meanwhile. Backends that end meanwhile do not
 * count.
 */
export async function cpuDuring({ pid, postmaster }, work) {
  const before = { node: cpuMicroseconds(pid), backends: childrensCpuMicroseconds(postmaster) };
  const result = await work();
  const node = cpuMicroseconds(pid) - before.node;
  let database = 0;
  for (const [backend, now] of childrensCpuMicroseconds(postmaster))
    database += now - (before.backends.get(backend) ?? 0);
  return { result, node, database };
}

/** The process id of the PostgreSQL server to which `client` is connected. */
export async function postmasterOf(client) {
  const { rows } = await client.query(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`);
  return rows[0].pid;
}

/** Starts a program of bench/lib in a separate process. Returns {child, port} when the program has sent its `port`. */
export async function forkHelper(file) {
  const child = fork(resolve(import.meta.dirname, file));
  const { port } = await new Promise((done, failed) => {
    child.once('message', done);
    child.once('exit', () => failed(new Error(`${file} has ended`)));
  });
  return { child, port };
}

/** Starts the receivers of webhooks (receivers.mjs). Returns {port, messages, close()}. */
export async function startReceivers() {
  const { child, port } = await forkHelper('receivers.mjs');
  const messages = [];
  child.on('message', (message) => messages.push(...message.messages));
  return { port, messages, close: () => child.kill() };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The text in tables and results that shows whether a goal is reached. */
export function verdict(isReached) {
  return isReached ? 'yes' : 'NO';
}
