// Measures the processor time of two variants of the same requests alternately, so that other load on the machine
// affects both equally.
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { load } from './load.mjs';
import { seedPeopleAndEvents } from './seed.mjs';
import { cpuDuring, MEASURED, postmasterOf, startService, verdict } from './service.mjs';

const { openEmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/libs/platform/database/embedded/embedded-postgres.js',
);

const CONNECTIONS = 8;
/**
 * The measurement continues for this many milliseconds after each run of a variant, because the server does some work
 * after a response, such as writing the log of requests.
 */
const FOLLOW_UP_MS = 1_200;

/**
 * Runs `work` with a filled database. `work` gets `{client, tokens, events, start(settings), postmaster}`: a database
 * connection, the people's tokens, the first and the last id of the events, a function that starts another server, and
 * the process id of PostgreSQL.
 */
export async function withService(work, { people = 200, events = 20_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'events-bench-'));
  const postgres = await openEmbeddedPostgres({ folder: join(folder, 'postgres') });
  const client = new pg.Client({ connectionString: postgres.url });
  const stops = [];
  const start = async (settings = {}) => {
    const data = join(folder, `data-${stops.length}`);
    const service = await startService({ ...MEASURED, DATABASE_URL: postgres.url, DATA_DIR: data, ...settings });
    stops.push(service.stop);
    return service;
  };
  try {
    // The first server creates the tables.
    await start();
    await client.connect();
    const tokens = await seedPeopleAndEvents(client, people, events);
    const bounds = await client.query('SELECT min(id)::int AS first, max(id)::int AS last FROM events');
    await work({ client, tokens, events: bounds.rows[0], start, postmaster: await postmasterOf(client) });
  } finally {
    await client.end().catch(() => undefined);
    for (const stop of stops.reverse()) await stop();
    await postgres.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * `variants`: name → {service, requests: [{path, token}]}. Returns name → {requests, node_ms, database_ms, total_ms}:
 * the number of requests, and the milliseconds of processor time per request. Throws if a status is not 200.
 */
export async function pairedCost(variants, { postmaster, rounds, seconds }) {
  const sums = Object.fromEntries(Object.keys(variants).map((name) => [name, { node: 0, database: 0, requests: 0 }]));
  for (const { service, requests } of Object.values(variants))
    for (const { path, token } of requests) {
      const { status } = await fetch(service.origin + path, { headers: { authorization: `Bearer ${token}` } });
      if (status !== 200) throw new Error(`${path}: ${status}`);
    }
  const runVariant = async ({ service, requests }, duration) => {
    const done = await load({ origin: service.origin, requests, connections: CONNECTIONS, seconds: duration });
    if (done.refused > 0) throw new Error(`${done.refused} responses did not have the status 200`);
    await pause(FOLLOW_UP_MS);
    return done.latencies.length;
  };
  for (const variant of Object.values(variants)) await runVariant(variant, seconds);
  for (let round = 0; round < rounds; round++) {
    const order = Object.entries(variants);
    for (const [name, variant] of round % 2 ? order.reverse() : order) {
      const { pid } = variant.service;
      const { result, node, database } = await cpuDuring({ pid, postmaster }, () => runVariant(variant, seconds));
      sums[name].requests += result;
      sums[name].node += node;
      sums[name].database += database;
    }
  }
  return Object.fromEntries(
    Object.entries(sums).map(([name, { node, database, requests }]) => {
      const msPerRequest = (microseconds) => Number((microseconds / 1000 / requests).toFixed(3));
      const [node_ms, database_ms, total_ms] = [node, database, node + database].map(msPerRequest);
      return [name, { requests, node_ms, database_ms, total_ms }];
    }),
  );
}

/** Typical read requests of a client. Each is sent equally often. */
export function usualReads(token, ids) {
  const paths = ['/discover/events', ...ids.map((id) => `/discover/events/${id}`), '/events?relation=joined', '/user'];
  return paths.map((path) => ({ path: `/api/v1${path}`, token }));
}

/** Prints the table, and whether `other` costs at most `goal` times as much as `plain`. */
export function printCost(table, [plain, other], goal) {
  console.table(table);
  const ratio = table[other].total_ms / table[plain].total_ms;
  console.log(`${other} / ${plain}: ${ratio.toFixed(3)} (goal ${goal}: ${verdict(ratio <= goal)})`);
}
