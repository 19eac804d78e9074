// A PostgreSQL with two streaming replicas on this machine, configured as in docs/operating/scaling.md.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from './installation.mjs';
import { accountOfPostgres, PROGRAMS } from './postgres-programs.mjs';
import { blockOf } from './pages.mjs';
import { folder, freePort, need, run, until } from './programs.mjs';

const PASSWORD = 'of-a-rehearsal';

/** Returns {url, replicas: [{url, kill(), start(), sql(text)}]}. */
export async function startWithStandbys() {
  need(join(PROGRAMS, 'postgres'), 'setpriv');
  const { account, prefix } = accountOfPostgres();
  const place = folder('standbys');
  chmodSync(place, 0o755);
  const node = async (name) => {
    const home = join(place, name);
    mkdirSync(home, { mode: 0o700 });
    if (account) chownSync(home, account.uid, account.gid);
    return { home, data: join(home, 'data'), port: await freePort() };
  };
  const perform = (program, args, env = {}) => {
    const [first, ...rest] = [...prefix, join(PROGRAMS, program), ...args];
    execFileSync(first, rest, { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env }, stdio: 'pipe' });
  };
  const urlOf = ({ port }, database = 'events') => `postgres://events:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const start = async (one) => {
    const [first, ...rest] = [
      ...prefix,
      join(PROGRAMS, 'postgres'),
      '-D',
      one.data,
      '-p',
      String(one.port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=`,
    ];
    one.program = run(first, rest, { quiet: true, cwd: '/', env: { LC_ALL: 'C.UTF-8' } });
    await until(`PostgreSQL on ${one.port}`, () =>
      sql(urlOf(one, 'postgres'), 'SELECT 1').then(
        () => true,
        () => false,
      ),
    );
  };

  const primary = await node('primary');
  const password = join(place, 'password');
  writeFileSync(password, PASSWORD, { mode: 0o644 });
  perform('initdb', ['-D', primary.data, '-U', 'events', '-A', 'scram-sha-256', `--pwfile=${password}`, '-E', 'UTF8']);
  await start(primary);
  await sql(urlOf(primary, 'postgres'), 'CREATE DATABASE events');
  const replicas = [];
  for (const name of ['first', 'second']) {
    const one = await node(name);
    perform(
      'pg_basebackup',
      ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'events', '-D', one.data, '-R', '-c', 'fast'],
      {
        PGPASSWORD: PASSWORD,
      },
    );
    appendFileSync(join(one.data, 'postgresql.conf'), blockOf('scaling.md', 'hot_standby = on'));
    await start(one);
    replicas.push({
      url: urlOf(one),
      sql: (text) => sql(urlOf(one), text),
      start: () => start(one),
      kill: () => one.program.stop('SIGKILL'),
    });
  }
  return { url: urlOf(primary), replicas };
}
