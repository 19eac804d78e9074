// Measures every named statement in requests to the service on the filled databases: how often PostgreSQL plans it, its
// cost per call, and the rows that it reads per returned row. Measures a typical viewer and a viewer with a lot of data.
//   npm run bench -- statements [--events 10000,1000000] [--calls 40]
//   BENCH_DATABASE=postgres://…  a server whose role may create databases; by default an embedded server in .cache/bench
// Ends with an error if a statement was planned more than six times on one connection.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { connected, copyOf, HEAVY_USER_ID, openBenchDatabases, tokenOf, TOKENS } from './discover/database.mjs';

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const dist = (path) => createRequire(import.meta.url)(join(ROOT, 'dist', path));
const { values: options } = parseArgs({
  options: { events: { type: 'string', default: '10000,1000000' }, calls: { type: 'string', default: '40' } },
});
const CALLS = Number(options.calls);
const MAX_PLANS = 6;
const SEED = readFileSync(join(ROOT, 'bench/statements/seed.sql'), 'utf8');

/** All executions of named statements, with the viewer and the request. */
const executions = [];
let currentRequest = null;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (config, ...rest) {
  if (currentRequest)
    for (const { name, text, values = [] } of readsIn(config))
      executions.push({ ...currentRequest, name, text, values });
  return query.call(this, config, ...rest);
};

const databases = await openBenchDatabases();
let failed = false;
try {
  for (const events of options.events.split(',').map(Number)) failed = (await examine(events)) || failed;
} finally {
  await databases.release();
}
process.exit(failed ? 1 : 0);

/**
 * Returns the named statements in a message to PostgreSQL: one statement, or several short reads
 * (libs/platform/database/read-batcher.ts). Messages of changes are ignored, because they begin and end transactions.
 */
function readsIn(config) {
  if (config?.name) return [config];
  return config?.heard === 'all' ? config.statements : [];
}

async function examine(events) {
  executions.length = 0;
  const { url, drop } = await copyOf(databases, events, 'bench_statements');
  const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
  try {
    const crowd = await connected(url, async (client) => {
      const id = (await client.query('SELECT max(id) - 7 AS id FROM events')).rows[0].id;
      for (const one of SEED.replaceAll('$HEAVY', HEAVY_USER_ID).replaceAll('$CROWD', id).split(/;\n/))
        if (one.trim()) await client.query(one);
      return Number(id);
    });
    const { plans, requests } = await runRequests(url, dataDir, crowd);
    const rows = await costs(url, requests);
    console.log(`${events} events`);
    console.table(rows);
    const replanned = plans.filter(({ times }) => times > MAX_PLANS);
    console.log(
      replanned.length === 0
        ? `No statement was planned more than ${MAX_PLANS} times a connection.`
        : `Planned more than ${MAX_PLANS} times a connection: ${replanned.map(({ name, times }) => `${name} (${times})`).join(', ')}`,
    );
    console.log(JSON.stringify({ events, statements: rows, plans }));
    return replanned.length > 0;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    await drop();
  }
}

/**
 * Runs the service in this process and sends it the requests. Returns the plan counts of its connections and the number
 * of requests.
 */
async function runRequests(url, dataDir, crowd) {
  const { NestFactory } = await import('@nestjs/core');
  const { DataSource } = await import('typeorm');
  const { newAdapter, setUpServer } = dist('apps/server/server.setup.js');
  const { ServerModule } = dist('apps/server/server.module.js');
  const { readSettings } = dist('libs/platform/config/settings.js');
  const { PublicIds } = dist('libs/platform/http/public-ids.js');
  const settings = readSettings({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    APP_SECRET: 'the secret of the benchmark, which guards nothing',
    JOBS: 'off',
    DEMO_DATA: 'off',
    LOG_LEVEL: 'silent',
    DATABASE_POOL: '4',
    RATE_LIMIT_TOKEN_PER_MINUTE: '1000000000',
    RATE_LIMIT_IP_PER_MINUTE: '1000000000',
  });
  const app = await NestFactory.create(ServerModule.with(settings), newAdapter(settings), {
    bodyParser: false,
    logger: false,
  });
  await setUpServer(app);
  await app.listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${app.getHttpServer().address().port}/api/v1`;
  const event = app.get(PublicIds, { strict: false }).encode('event', crowd);
  const requests = {};
  try {
    for (const viewer of ['light', 'heavy']) {
      for (const [kind, ask] of Object.entries(kinds(event))) {
        requests[`${kind}, ${viewer}`] = CALLS;
        for (let n = 0; n < CALLS; n++) {
          // Repeated requests are sent by ten other viewers.
          const token = tokenOf(viewer === 'heavy' ? TOKENS - 1 : n % 10);
          const { method = 'GET', path } = ask(n);
          currentRequest = { kind, viewer };
          const answer = await fetch(origin + path, { method, headers: { authorization: `Bearer ${token}` } });
          currentRequest = null;
          await answer.arrayBuffer();
          if (answer.status >= 500) throw new Error(`${kind}: ${answer.status}`);
        }
      }
    }
    return { plans: await plansOf(app.get(DataSource).driver.master), requests };
  } finally {
    await app.close();
  }
}

function kinds(event) {
  const around = (n) => `lat=${(50.08 + (n % 5) * 0.01).toFixed(3)}&lng=${(14.43 + (n % 3) * 0.01).toFixed(3)}`;
  const list = (query) => () => ({ path: `/discover/events${query}` });
  return {
    'discover, first page': list(''),
    'discover, page 51': list('?page=51'),
    'discover, a common word': list('?q=pro'),
    'discover, a word': list('?q=jezero'),
    'discover, a rare word': (n) => ({ path: `/discover/events?q=${['vlttače', 'žďázaba', 'korchov'][n % 3]}` }),
    'discover, two letters': (n) => ({ path: `/discover/events?q=${['qx', 'ze', 'vl'][n % 3]}` }),
    'discover, 10 km': list('?lat=50.08&lng=14.43&radius_km=10'),
    'discover, 10 km, different places': (n) => ({ path: `/discover/events?${around(n)}&radius_km=10` }),
    'discover, type and dates': list(
      `?type=sport&date_from=${new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)}`,
    ),
    'events, going': () => ({ path: '/events?relation=joined&scope=upcoming' }),
    'events, past': () => ({ path: '/events?relation=joined&scope=past' }),
    'events, own': () => ({ path: '/events?scope=upcoming' }),
    'one event': () => ({ path: `/discover/events/${event}` }),
    participants: () => ({ path: `/events/${event}/participants?page=10` }),
    comments: () => ({ path: `/events/${event}/comments?page=10` }),
    puls: (n) => ({ path: `/puls?${around(n)}&radius_km=50&limit=100` }),
    'groups nearby': (n) => ({ path: `/groups/discover?${around(n)}&radius_km=50` }),
    join: () => ({ method: 'POST', path: `/events/${event}/join` }),
    leave: () => ({ method: 'POST', path: `/events/${event}/leave` }),
  };
}

/** For each statement, the highest number of plans that a connection has made for it. */
async function plansOf(pool) {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const plansByName = new Map();
  for (const client of clients) {
    const { rows } = await client.query(
      'SELECT name, custom_plans::integer AS custom, generic_plans::integer AS generic FROM pg_prepared_statements',
    );
    for (const { name, custom, generic } of rows) {
      const before = plansByName.get(name) ?? { times: 0, runs: 0 };
      plansByName.set(name, {
        times: Math.max(before.times, custom + Math.min(generic, 1)),
        runs: before.runs + custom + generic,
      });
    }
    client.release();
  }
  return [...plansByName].map(([name, { times, runs }]) => ({ name, times, runs }));
}

/** Measures the cost of each statement on a connection with the service's settings. Each call is rolled back. */
async function costs(url, requests) {
  const { requestOptions } = dist('libs/platform/database/data-source.js');
  const client = new pg.Client({ connectionString: url, options: requestOptions(url, 1).extra.options });
  await client.connect();
  const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
  const groups = new Map();
  for (const one of executions) {
    const key = `${one.kind}, ${one.viewer}: ${one.name}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const rows = {};
  try {
    for (const [key, calls] of groups)
      rows[key] = await cost(client, pid, calls, requests[`${calls[0].kind}, ${calls[0].viewer}`]);
  } finally {
    await client.end();
  }
  return rows;
}

async function cost(client, pid, calls, requests) {
  const [{ name, text }] = calls;
  let [spent, runs, answered] = [0, 0, 0];
  for (const { values } of calls.slice(0, 100)) {
    await client.query('BEGIN');
    try {
      const before = cpuMs(pid);
      const { rowCount } = await client.query({ name, text, values });
      spent += cpuMs(pid) - before;
      runs++;
      answered += rowCount ?? 0;
    } catch {
      // Some statements cannot be repeated, such as the join of a person who already participates.
    }
    await client.query('ROLLBACK');
  }
  const { planning, execution, buffers, read, returned } = await explain(client, calls.at(-1)).catch(() => ({}));
  return {
    'calls a request': round(calls.length / requests),
    'CPU ms': round(spent / runs),
    'planned ms': round(planning),
    'execution ms': round(execution),
    buffers,
    'rows read': read,
    'read per returned row': returned > 0 ? round(read / returned) : '',
    rows: round(answered / runs),
  };
}

async function explain(client, { text, values }) {
  await client.query('BEGIN');
  try {
    await client.query(`PREPARE examined AS ${text}`);
    const literals = values.map((value) =>
      value === null || value === undefined ? 'NULL' : client.escapeLiteral(String(prepareValue(value))),
    );
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, BUFFERS, SUMMARY, FORMAT JSON) EXECUTE examined${literals.length > 0 ? `(${literals.join(', ')})` : ''}`,
    );
    const [{ Plan: plan, 'Planning Time': planning, 'Execution Time': execution }] = rows[0]['QUERY PLAN'];
    const leaves = flat(plan).filter((node) => node['Relation Name']);
    const read = leaves.reduce(
      (sum, node) =>
        sum +
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
          node['Actual Loops'],
      0,
    );
    return {
      planning,
      execution,
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      read: Math.round(read),
      returned: plan['Actual Rows'],
    };
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE examined').catch(() => undefined);
  }
}

function flat(node) {
  return [node, ...(node.Plans ?? []).flatMap(flat)];
}

/**
 * Processor time of a local process in milliseconds, with a resolution of a nanosecond; NaN if the process is on another
 * machine.
 */
function cpuMs(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return NaN;
  }
}

function round(number) {
  return Number.isFinite(number) ? Number(number.toFixed(2)) : '';
}
