// The parts of an installation for a rehearsal: a separate database, people with tokens, servers, and the proxies in
// front of the servers and the database.
import { chmodSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { NODE_FLAGS } from '../../scripts/node-flags.mjs';
import { blockOf } from './pages.mjs';
import { folder, freePort, need, ROOT, run, statusOf, until, atEnd } from './programs.mjs';

const require = createRequire(import.meta.url);
const SECRET = 'the secret of a rehearsal, which guards nothing';
/**
 * Number of people who send the requests of the load. With fewer people, each person would exceed the limit of comments
 * per minute.
 */
const PEOPLE = 120;

/**
 * Creates an empty database and returns its URL. Uses the server at the URL in REHEARSE_DATABASE, or otherwise the
 * embedded PostgreSQL. The role in REHEARSE_DATABASE must have the right to create databases.
 */
export async function openDatabase(name = 'rehearsal') {
  const givenUrl = process.env.REHEARSE_DATABASE;
  const admin = givenUrl ?? (await embedded());
  return createDatabase(admin, `${name}_${process.pid}`);
}

/**
 * Creates an empty database on the server at the URL `admin`, and drops it at the end of the rehearsal. Returns its
 * URL.
 */
export async function createDatabase(admin, name) {
  await sql(admin, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  atEnd(() => sql(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return Object.assign(new URL(admin), { pathname: `/${name}` }).href;
}

async function embedded() {
  const { openEmbeddedPostgres } = require(resolve(ROOT, 'dist/libs/platform/database/embedded/embedded-postgres.js'));
  const postgres = await openEmbeddedPostgres({ folder: join(folder('postgres'), 'postgres') });
  atEnd(() => postgres.release());
  return postgres.url;
}

export async function sql(url, text, values = []) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The environment for all servers and commands of an installation. */
export function environment(databaseUrl, dataDir, more = {}) {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    APP_SECRET: SECRET,
    LOG_LEVEL: 'error',
    MALLOC_ARENA_MAX: '2',
    BASE_URL: 'http://127.0.0.1',
    RATE_LIMIT_TOKEN_PER_MINUTE: '1000000',
    RATE_LIMIT_IP_PER_MINUTE: '1000000',
    DATABASE_POOL: '5',
    ...more,
  };
}

/** Runs an operator command with the build in `root`. Returns the parsed JSON document that the command prints. */
export async function cli(env, args, { root = ROOT, stdin } = {}) {
  const command = run(process.execPath, [join(root, 'dist/apps/cli/main.js'), ...args], { env, cwd: root, stdin });
  const code = await command.ended;
  if (code !== 0) throw new Error(`cli ${args.join(' ')} ended with ${code}: ${command.output().slice(0, 500)}`);
  try {
    return JSON.parse(command.output());
  } catch {
    throw new Error(`cli ${args.join(' ')} printed no JSON document: ${command.output().slice(0, 500)}`);
  }
}

/**
 * Creates `count` people, each with a token and an event. With `passwords`, each event has a join password. `avatar` is
 * the path of a picture that everybody gets. Returns {tokens, slugs, events}: `events` contains ids.
 */
export async function populate(env, { count = PEOPLE, passwords = false, avatar, ...options } = {}) {
  const inDays = (days) => new Date(Date.now() + days * 86_400_000).toISOString();
  const users = Array.from({ length: count }, (_, i) => ({
    slug: `person-${i}`,
    name: `Člověk ${i}`,
    premium_until: inDays(3650),
    tokens: [{ name: 'app', access: 'write' }],
    ...(avatar ? { avatar } : {}),
  }));
  const events = Array.from({ length: count }, (_, i) => ({
    key: `event-${i}`,
    organizer: `person-${i}`,
    title: `Piknik ${i}`,
    starts_at: inDays(3 + i),
    latitude: 50.08,
    longitude: 14.42,
    ...(passwords ? { join_mode: 'password', join_password: `heslo ${i}` } : {}),
  }));
  const created = await cli(env, ['apply', '-'], { ...options, stdin: JSON.stringify({ users, events }) });
  return {
    tokens: created.users.map(({ tokens }) => tokens[0].token),
    slugs: users.map(({ slug }) => slug),
    events: created.events.map(({ id }) => id),
  };
}

/** Starts a server of the build in `root`. When the server is ready, returns {port, origin, stop()}. */
export async function startServer(env, port, root = ROOT) {
  const server = run(process.execPath, [...NODE_FLAGS, join(root, 'dist/apps/server/main.js')], {
    env: { HOST: '127.0.0.1', PORT: String(port), ...env },
    cwd: root,
  });
  const origin = `http://127.0.0.1:${port}`;
  await until(`a server on ${port}`, async () => {
    if (server.isOver()) throw new Error(`a server ended with ${await server.ended}`);
    return (await statusOf(`${origin}/health/ready`)) === 200;
  });
  return { ...server, port, origin };
}

/** Columns of HAProxy's `show stat`, counted from 0: number of requests in progress, and state of the server. */
const [REQUESTS_COLUMN, STATE_COLUMN] = [4, 17];

/** The path of HAProxy's administration socket. */
let adminSocket = null;

/**
 * Removes a server from HAProxy, so that the server gets no further requests, and waits until the server has no
 * requests in progress.
 */
export async function removeFromHaproxy(port) {
  await haproxyAnswer(`set server events/events-${port} state drain`);
  await until(
    `no requests in progress at ${port}`,
    async () =>
      (await haproxyAnswer('show stat'))
        .split('\n')
        .find((line) => line.startsWith(`events,events-${port},`))
        ?.split(',')[REQUESTS_COLUMN] === '0',
  );
}

/** Adds a removed server to HAProxy again. */
export async function addToHaproxy(port) {
  await haproxyAnswer(`set server events/events-${port} state ready`);
}

/** Waits until HAProxy sends requests to all servers on these ports. */
export async function untilUp(ports) {
  await until('all servers behind HAProxy', async () => {
    const lines = (await haproxyAnswer('show stat')).split('\n');
    return ports.every(
      (port) => lines.find((line) => line.startsWith(`events,events-${port},`))?.split(',')[STATE_COLUMN] === 'UP',
    );
  });
}

function haproxyAnswer(command) {
  return new Promise((done, failed) => {
    const socket = connect(adminSocket, () => socket.end(`${command}\n`));
    let answer = '';
    socket
      .on('data', (part) => (answer += part))
      .on('error', failed)
      .on('close', () => done(answer));
  });
}

/**
 * Starts HAProxy in front of the servers on these ports, with the configuration in docs/operating/scaling.md. Returns
 * the origin of HAProxy.
 */
export async function startHaproxy(ports) {
  need('haproxy');
  const [path, port] = [join(folder('haproxy'), 'haproxy.cfg'), await freePort()];
  adminSocket = join(path, '..', 'admin.sock');
  const settings = blockOf('scaling.md', 'balance leastconn', [['bind :80', `bind 127.0.0.1:${port}`]]).replace(
    /^ {2}server .*\n/gm,
    '',
  );
  writeFileSync(
    path,
    `global\n  stats socket ${adminSocket} level admin\n${settings}${ports.map((one) => `  server events-${one} 127.0.0.1:${one}\n`).join('')}`,
  );
  run('haproxy', ['-db', '-q', '-f', path]);
  const origin = `http://127.0.0.1:${port}`;
  await until('HAProxy', async () => (await statusOf(`${origin}/health/ready`)) === 200);
  return origin;
}

/** Starts Redis, which counts requests for the common rate limits of several servers. Returns its URL. */
export async function startRedis() {
  need('redis-server');
  const port = await freePort();
  run('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder('redis'),
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  return `redis://127.0.0.1:${port}`;
}

/**
 * Starts PgBouncer in transaction mode, with the configuration in docs/operating/scaling.md and at most `connections`
 * connections to PostgreSQL. Returns the URL of the same database through PgBouncer.
 */
export async function startPgbouncer(databaseUrl, connections) {
  need('pgbouncer');
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const [pgbouncerFolder, listenPort] = [folder('pgbouncer'), await freePort()];
  const path = join(pgbouncerFolder, 'pgbouncer.ini');
  // If this process is root, PgBouncer runs as the user `nobody`, who must be able to read these files.
  chmodSync(pgbouncerFolder, 0o755);
  const [user, plainPassword] = [username, password].map(decodeURIComponent);
  const userListFile = join(pgbouncerFolder, 'userlist.txt');
  writeFileSync(userListFile, `"${user}" "${plainPassword}"\n`);
  writeFileSync(
    path,
    blockOf('scaling.md', 'pool_mode = transaction', [
      ['host=10.0.0.5 dbname=events', `host=${hostname} port=${port || 5432} dbname=${pathname.slice(1)}`],
      ['listen_addr = 10.0.0.4', 'listen_addr = 127.0.0.1'],
      ['listen_port = 6432', `listen_port = ${listenPort}\nunix_socket_dir =`],
      ['/etc/pgbouncer/userlist.txt', userListFile],
      ['default_pool_size = 20', `default_pool_size = ${connections}`],
    ]),
  );
  run('pgbouncer', process.getuid() === 0 ? ['-q', '-u', 'nobody', path] : ['-q', path]);
  const url = `postgres://${username}:${password}@127.0.0.1:${listenPort}/events`;
  await until('PgBouncer', () =>
    sql(url, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  return url;
}
