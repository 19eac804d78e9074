// PostgreSQL servers from the programs of Debian's package. Each server has a separate folder and port.
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from './installation.mjs';
import { accountOfPostgres, PROGRAMS } from './postgres-programs.mjs';
import { folder, freePort, need, run, until } from './programs.mjs';

const PASSWORD = 'of-a-rehearsal';

/**
 * Returns functions for servers in one folder. A server is {data, port}; `start` adds `program`. The role `events` is a
 * superuser.
 */
export function postgresServers(name) {
  need(join(PROGRAMS, 'postgres'), 'setpriv');
  const { account, prefix } = accountOfPostgres();
  const baseFolder = folder(name);
  chmodSync(baseFolder, 0o755);

  /** Creates a folder that belongs to the account of PostgreSQL. */
  const makeFolder = (path) => {
    mkdirSync(path, { mode: 0o700 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  const newServer = async (server) => ({
    data: join(makeFolder(join(baseFolder, server)), 'data'),
    port: await freePort(),
  });
  /**
   * Runs a program of PostgreSQL, or another program by its path, and waits until it has ended. The rehearsal is not
   * blocked, so the rehearsal continues to send requests in the meantime.
   */
  const perform = async (program, args) => {
    const [first, ...rest] = [...prefix, program.startsWith('/') ? program : join(PROGRAMS, program), ...args];
    const code = await run(first, rest, { cwd: '/', env: { LC_ALL: 'C.UTF-8', PGPASSWORD: PASSWORD } }).ended;
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
  };
  const urlOf = ({ port }, database = 'events') => `postgres://events:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const start = async (server) => {
    const folderAndPort = ['-D', server.data, '-p', String(server.port)];
    const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
    const [first, ...rest] = [...prefix, join(PROGRAMS, 'postgres'), ...folderAndPort, ...settings];
    server.program = run(first, rest, { quiet: true, cwd: '/', env: { LC_ALL: 'C.UTF-8' } });
    await until(`PostgreSQL on ${server.port}`, () => {
      if (server.program.isOver()) throw new Error(`PostgreSQL on ${server.port} has ended`);
      return sql(urlOf(server, 'postgres'), 'SELECT 1').then(
        () => true,
        () => false,
      );
    });
  };
  /** Creates an empty cluster. */
  const initialize = async (server) => {
    const password = join(baseFolder, 'password');
    writeFileSync(password, PASSWORD, { mode: 0o644 });
    await perform('initdb', [
      '-D',
      server.data,
      '-U',
      'events',
      '-A',
      'scram-sha-256',
      `--pwfile=${password}`,
      '-E',
      'UTF8',
    ]);
  };
  const baseBackup = (server, to, ...args) =>
    perform('pg_basebackup', [...['-h', '127.0.0.1', '-p', String(server.port), '-U', 'events', '-D', to], ...args]);
  return { baseFolder, makeFolder, newServer, perform, urlOf, start, initialize, baseBackup };
}
