// Three PostgreSQL servers under Patroni on this machine, configured as in docs/operating/failover.md. Patroni needs
// etcd, which is started too.
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from './installation.mjs';
import { blockOf } from './pages.mjs';
import { accountOfPostgres } from './postgres-programs.mjs';
import { folder, freePort, need, run, statusOf, until } from './programs.mjs';

const NAMES = ['a', 'b', 'c'];
const PASSWORD = 'of-a-rehearsal';

/**
 * Returns {url, urlOf(name), primary(except), kill(name), start(name), untilSynchronous()}. `url` contains all three
 * servers. `primary` waits until a server other than `except` is the primary, and returns the name of this server.
 * `untilSynchronous` waits until all servers run and one of them is a synchronous standby.
 */
export async function startPatroni() {
  need('etcd', 'patroni', 'setpriv');
  const baseFolder = folder('patroni');
  // PostgreSQL cannot run as root.
  const { account, prefix } = accountOfPostgres();
  chmodSync(baseFolder, 0o755);
  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  run(
    'etcd',
    [
      '--data-dir',
      join(baseFolder, 'etcd'),
      '--listen-client-urls',
      `http://127.0.0.1:${etcdPort}`,
      '--advertise-client-urls',
      `http://127.0.0.1:${etcdPort}`,
      '--listen-peer-urls',
      `http://127.0.0.1:${peerPort}`,
      '--initial-advertise-peer-urls',
      `http://127.0.0.1:${peerPort}`,
      '--initial-cluster',
      `default=http://127.0.0.1:${peerPort}`,
      '--logger',
      'zap',
      '--log-level',
      'error',
    ],
    { quiet: true },
  );
  await until('etcd', async () => (await statusOf(`http://127.0.0.1:${etcdPort}/health`)) === 200);

  const nodes = new Map();
  for (const name of NAMES) {
    const [home, port, restPort] = [join(baseFolder, name), await freePort(), await freePort()];
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'patroni.yml'), configuration(name, { home, port, restPort, etcdPort }));
    if (account) for (const path of [home, join(home, 'patroni.yml')]) chownSync(path, account.uid, account.gid);
    nodes.set(name, { home, port, restPort, program: null });
  }
  const urlOf = (name, user = 'events', database = 'events') =>
    `postgres://${user}:${PASSWORD}@127.0.0.1:${nodes.get(name).port}/${database}`;
  const start = (name) => {
    const { home } = nodes.get(name);
    const [program, ...args] = [...prefix, 'patroni', join(home, 'patroni.yml')];
    nodes.get(name).program = run(program, args, { quiet: true, env: { HOME: home, LC_ALL: 'C.UTF-8' }, cwd: home });
  };
  const isPrimary = async (name) => (await statusOf(`http://127.0.0.1:${nodes.get(name).restPort}/primary`)) === 200;
  const primary = async (except = null) => {
    let found;
    await until('a primary', async () => {
      for (const name of NAMES) if (name !== except && (await isPrimary(name))) found = name;
      return found !== undefined;
    });
    return found;
  };
  const untilSynchronous = () =>
    until('all servers, one of them a synchronous standby', async () => {
      const cluster = await fetch(`http://127.0.0.1:${nodes.get(await primary()).restPort}/cluster`).then(
        (answer) => answer.json(),
        () => ({ members: [] }),
      );
      const running = cluster.members.filter(({ state }) => ['running', 'streaming'].includes(state));
      return running.length === NAMES.length && running.some(({ role }) => role === 'sync_standby');
    });

  start(NAMES[0]);
  const first = await primary();
  for (const name of NAMES.slice(1)) start(name);
  await until('the role of the service', () =>
    sql(urlOf(first, 'postgres', 'postgres'), `CREATE ROLE events LOGIN PASSWORD '${PASSWORD}'`).then(
      () => true,
      () => false,
    ),
  );
  await sql(urlOf(first, 'postgres', 'postgres'), `CREATE DATABASE events OWNER events`);
  await untilSynchronous();
  return {
    url: blockOf('failover.md', 'DATABASE_URL=', [
      ['…', PASSWORD],
      ...NAMES.map((name, n) => [`10.0.0.${5 + n}:5432`, `127.0.0.1:${nodes.get(name).port}`]),
    ])
      .trim()
      .replace('DATABASE_URL=', ''),
    urlOf,
    primary,
    start,
    untilSynchronous,
    /** Simulates the failure of a machine: kills the server's Patroni, its PostgreSQL, and PostgreSQL's processes. */
    kill: async (name) => {
      const { program, home } = nodes.get(name);
      const pidFile = join(home, 'data/postmaster.pid');
      const postmaster = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : null;
      const stopped = program.stop('SIGKILL');
      if (postmaster) for (const pid of [postmaster, ...childrenOf(postmaster)]) killProcess(pid);
      await stopped;
    },
  };
}

function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function killProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** The configuration in docs/operating/failover.md, adapted to this machine. */
function configuration(name, { home, port, restPort, etcdPort }) {
  return blockOf('failover.md', 'synchronous_mode: true', [
    ['name: a', `name: ${name}`],
    ['10.0.0.5:8008', `127.0.0.1:${restPort}`],
    ['10.0.0.5:5432', `127.0.0.1:${port}`],
    ['10.0.0.2:2379', `127.0.0.1:${etcdPort}`],
    ['10.0.0.0/24', '127.0.0.1/32'],
    ['/var/lib/postgresql/15/events', join(home, 'data')],
    ['…', PASSWORD],
    ['/run/postgresql', home],
  ]);
}
