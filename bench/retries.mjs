// Measures the cost of safe retries and conditional requests. Requests to join an event with an Idempotency-Key are
// compared with the same requests without a key. Responses with status 304 are compared with responses with status 200
// for the same resource: the first page of Discover, one event, and `GET /events`. Each comparison has two kinds of
// requests. The two kinds are sent in turn, so that other load on the machine affects both kinds equally. The result is
// the ratio of the processor times of the two kinds (server and database together). `FILLED=1000000 npm run bench --
// retries` reads from the database of `bench -- discover` with this number of events; the requests to join still use a
// new database.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { connected, openBenchDatabases, tokenOf } from './discover/database.mjs';
import { seedPeopleAndEvents } from './lib/seed.mjs';
import { cpuDuring, MEASURED, postmasterOf, startService, verdict } from './lib/service.mjs';

const require = createRequire(import.meta.url);
const { openEmbeddedPostgres } = require('../dist/libs/platform/database/embedded/embedded-postgres.js');

const CLIENTS = Number(process.env.CLIENTS ?? 8);
const EVENTS = Number(process.env.EVENTS ?? 20_000);
const PEOPLE = 12_000;
/**
 * `events`: the number of events in the filled database; 0 if a new database is used. `user` and `token`: the id of a
 * person in the filled database (bench/discover/seed.sql), and the index of the person's token.
 */
const FILLED = { events: Number(process.env.FILLED ?? 0), user: 30, token: 9 };
/** Only comparisons whose names contain this text are measured. */
const ONLY = process.env.ONLY ?? '';
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** The number of requests of each of the two kinds in a round. */
const REQUESTS = Number(process.env.REQUESTS ?? 400);
/**
 * The maximum ratios of processor times: a join with an Idempotency-Key compared with a join without a key, and a
 * response 304 compared with a response 200. A response 304 costs as much as a response 200
 * (docs/adr/0230-unchanged-answers.md).
 */
const GOALS = { withKey: 1.15, notModified: 1.05 };
const folder = mkdtempSync(join(tmpdir(), 'events-bench-'));

const database = await openEmbeddedPostgres({ folder: join(folder, 'postgres') });
const client = new pg.Client({ connectionString: database.url });
const stops = [];
try {
  const ownServer = await startOn(database.url);
  await client.connect();
  const tokens = await seedPeopleAndEvents(client, PEOPLE, EVENTS);
  const {
    rows: [{ first, last }],
  } = await client.query(`SELECT min(id)::int AS first, max(id)::int AS last FROM events`);
  let joiner = 0;
  const joinRequests = (hasKey) => () => {
    const n = joiner++;
    return {
      method: 'POST',
      path: `/events/${first + (n % (EVENTS - 1))}/join`,
      headers: {
        authorization: `Bearer ${tokens[1 + (n % (PEOPLE - 1))]}`,
        'content-length': 0,
        ...(hasKey && { 'idempotency-key': randomUUID() }),
      },
    };
  };
  const filled = FILLED.events > 0 ? await startOnFilled() : null;
  const readServer = filled ?? ownServer;
  const reader = { authorization: `Bearer ${filled ? tokenOf(FILLED.token) : tokens[0]}` };
  const reads = {
    'Discover, first page': '/discover/events',
    'one event': `/discover/events/${filled?.event ?? last}`,
    'GET /events': '/events?relation=joined',
  };
  // PostgreSQL scans a table completely if the table was empty at the last ANALYZE. So the tables get rows first, as in
  // a service that has run for some minutes.
  const fillTables = async () => {
    for (const next of [joinRequests(false), joinRequests(true)]) await sendAll(ownServer, next, 600);
    await client.query('ANALYZE');
  };
  const comparisons = [
    {
      name: 'join',
      server: ownServer,
      prepare: fillTables,
      plain: joinRequests(false),
      other: joinRequests(true),
      goal: GOALS.withKey,
      what: 'with an Idempotency-Key / without',
    },
  ];
  // Creates the reader's participations, for `GET /events`.
  for (let n = 0; n < 30 && !filled; n++)
    await send(ownServer, {
      method: 'POST',
      path: `/events/${first + 7 * n}/join`,
      headers: { ...reader, 'content-length': 0 },
    });
  for (const [name, path] of Object.entries(reads)) {
    let tag;
    comparisons.push({
      name,
      server: readServer,
      goal: GOALS.notModified,
      what: '304 / 200',
      // The ETag is read after the requests to join, because a join changes the responses that contain the event.
      prepare: async () => ({ etag: tag } = await send(readServer, { method: 'GET', path, headers: reader })),
      plain: () => ({ method: 'GET', path, headers: reader }),
      other: () => ({ method: 'GET', path, headers: { ...reader, 'if-none-match': tag }, status: 304 }),
    });
  }
  const table = {};
  const selected = comparisons.filter(({ name }) => name.includes(ONLY));
  for (const { name, server, prepare, plain, other, goal, what } of selected) {
    await prepare?.();
    const sums = { plain: { node: 0, database: 0 }, other: { node: 0, database: 0 } };
    for (const next of [plain, other]) await sendAll(server, next, 100);
    for (let round = 0; round < ROUNDS; round++) {
      const order = [
        ['plain', plain],
        ['other', other],
      ];
      for (const [kind, next] of round % 2 ? order.reverse() : order) {
        const { pid } = server.service;
        const spent = await cpuDuring({ pid, postmaster: server.postmaster }, () => sendAll(server, next, REQUESTS));
        sums[kind].node += spent.node;
        sums[kind].database += spent.database;
      }
    }
    const msPerRequest = (microseconds) => Number((microseconds / 1000 / ROUNDS / REQUESTS).toFixed(3));
    const total = ({ node, database: backends }) => node + backends;
    const ratio = Number((total(sums.other) / total(sums.plain)).toFixed(2));
    table[name] = {
      what,
      plain_node_ms: msPerRequest(sums.plain.node),
      plain_database_ms: msPerRequest(sums.plain.database),
      other_node_ms: msPerRequest(sums.other.node),
      other_database_ms: msPerRequest(sums.other.database),
      ratio,
      goal: `${goal}: ${verdict(ratio <= goal)}`,
    };
  }
  console.table(table);
  console.log(JSON.stringify(table));
} finally {
  await client.end().catch(() => undefined);
  for (const stop of stops.reverse()) await stop();
  await database.release();
  rmSync(folder, { recursive: true, force: true });
}

async function startOn(url) {
  const service = await startService({
    ...MEASURED,
    DATABASE_URL: url,
    DATA_DIR: join(folder, `data-${stops.length}`),
  });
  stops.push(service.stop);
  return { service, postmaster: await connected(url, postmasterOf) };
}

/** Starts a server on the filled database. This server gets only reads: other benchmarks use the database too. */
async function startOnFilled() {
  const databases = await openBenchDatabases();
  stops.push(databases.release);
  const url = await databases.urlOf(FILLED.events);
  const event = await connected(
    url,
    async (one) =>
      (
        await one.query(
          'SELECT id FROM live_events WHERE over_at > now() AND organizer_id <> $1 ORDER BY starts_at LIMIT 1',
          [FILLED.user],
        )
      ).rows[0].id,
  );
  return { ...(await startOn(url)), event };
}

async function sendAll(server, next, requests) {
  let remaining = requests;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (remaining-- > 0) await send(server, next());
    }),
  );
}

/** Sends one request. Returns {etag} of the response; throws if the response has another status than `status`. */
function send({ service }, { method, path, headers, status = 200 }) {
  const { hostname, port } = new URL(service.origin);
  return new Promise((done, failed) => {
    const request = http.request(
      {
        agent: (send.agent ??= new http.Agent({ keepAlive: true, maxSockets: CLIENTS })),
        hostname,
        port,
        method,
        path: `/api/v1${path}`,
        headers,
      },
      (response) => {
        response.resume().on('error', failed);
        response.on('end', () =>
          response.statusCode === status
            ? done({ etag: response.headers.etag })
            : failed(new Error(`${method} ${path}: ${response.statusCode}`)),
        );
      },
    );
    request.on('error', failed);
    request.end();
  });
}
