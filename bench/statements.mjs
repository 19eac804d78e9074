// Sends requests to the service on copies of the filled databases, and measures each named statement of these requests:
// how often PostgreSQL plans the statement, the cost of a call, and how many rows PostgreSQL reads for each returned
// row. Costs and rows are not measured for statements that are sent in one message with BEGIN or COMMIT. The requests
// come from typical viewers and from a viewer with a lot of data.
//   npm run bench -- statements [--events 10000,1000000] [--calls 40]
//   BENCH_DATABASE=postgres://…  the URL of a database server. The user in the URL must be a superuser. Without this
//     variable, an embedded server is used. Its data is in .cache/bench.
// Ends with an error if a statement was planned more than six times on one connection.
import { parseArgs } from 'node:util';
import { prepareValue } from 'pg/lib/utils.js';
import { copyOf, crowdEventIdOf, openBenchDatabases } from './discover/database.mjs';
import { cpuMs } from './lib/service.mjs';
import { FIRST, publicId, kindsOfReads, record, serviceConnection } from './statements/capture.mjs';

const { values: options } = parseArgs({
  options: { events: { type: 'string', default: '10000,1000000' }, calls: { type: 'string', default: '40' } },
});
const CALLS = Number(options.calls);
const MAX_PLANS = 6;

const databases = await openBenchDatabases();
let failed = false;
try {
  for (const events of options.events.split(',').map(Number)) failed = (await examine(events)) || failed;
} finally {
  await databases.release();
}
process.exit(failed ? 1 : 0);

async function examine(events) {
  const { DataSource } = await import('typeorm');
  const { url, drop } = await copyOf(databases, events, 'bench_statements');
  try {
    const { executions, after: plans } = await record(url, {
      calls: CALLS,
      kindsOf: ({ app }) => kinds(publicId(app, 'event', crowdEventIdOf(events))),
      after: (app) => plansOf(app.get(DataSource).driver.master),
    });
    const rows = await costs(url, executions);
    console.log(`${events} events`);
    console.table(rows);
    const replanned = plans.filter(({ times }) => times > MAX_PLANS);
    console.log(
      replanned.length === 0
        ? `No statement was planned more than ${MAX_PLANS} times on a connection.`
        : `Planned more than ${MAX_PLANS} times on a connection: ${replanned.map(({ name, times }) => `${name} (${times})`).join(', ')}`,
    );
    console.log(JSON.stringify({ events, statements: rows, plans }));
    return replanned.length > 0;
  } finally {
    await drop();
  }
}

function kinds(event) {
  return {
    ...kindsOfReads(event),
    join: () => ({ method: 'POST', path: `/api/v1/events/${event}/join` }),
    leave: () => ({ method: 'DELETE', path: `/api/v1/events/${event}/join` }),
  };
}

/**
 * For each statement, the highest number of plans on one connection, and the number of executions on all connections.
 */
async function plansOf(pool) {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const plansByName = new Map();
  for (const client of clients) {
    const { rows } = await client.query(
      'SELECT name, custom_plans::integer AS custom, generic_plans::integer AS generic FROM pg_prepared_statements',
    );
    for (const { name, custom, generic } of rows) {
      const before = plansByName.get(name) ?? { times: 0, runs: 0 };
      // A generic plan counts once, because PostgreSQL reuses it.
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
async function costs(url, executions) {
  const { client, pid } = await serviceConnection(url);
  const groups = new Map();
  for (const one of executions) {
    const key = `${one.kind}, ${one.viewer}: ${one.name}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const rows = {};
  try {
    for (const [key, calls] of groups) rows[key] = await cost(client, pid, calls);
  } finally {
    await client.end();
  }
  return rows;
}

async function cost(client, pid, calls) {
  const [{ kind, name, text }] = calls;
  // `record` sends one first request of each kind (the name of its kind ends with FIRST), and then CALLS more requests.
  const requests = kind.endsWith(FIRST) ? 1 : CALLS;
  let [cpu, runs, returnedRows] = [0, 0, 0];
  for (const { values } of calls.slice(0, 100)) {
    await client.query('BEGIN');
    try {
      const before = cpuMs(pid);
      const { rowCount } = await client.query({ name, text, values });
      cpu += cpuMs(pid) - before;
      runs++;
      returnedRows += rowCount ?? 0;
    } catch {
      // Some statements cannot be repeated, for example if they add a participation that already exists.
    }
    await client.query('ROLLBACK');
  }
  const { planning, execution, buffers, read, returned } = await explain(client, calls.at(-1)).catch(() => ({}));
  return {
    'calls per request': round(calls.length / requests),
    'CPU ms': round(cpu / runs),
    'planning ms': round(planning),
    'execution ms': round(execution),
    buffers,
    'rows read': read,
    'read per returned row': returned > 0 ? round(read / returned) : '',
    rows: round(returnedRows / runs),
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

function round(number) {
  return Number.isFinite(number) ? Number(number.toFixed(2)) : '';
}
