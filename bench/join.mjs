// Measures HTTP requests to join events, from 50 clients. With the load `hot`, all people join the same event; with the
// load `spread`, they join many events. Three servers alternate: the service, bare Fastify + pg with six statements,
// and bare Fastify + pg with the service's own statements. Only the ratios between the servers are meaningful; the
// ratio of processor time per request is the most reliable ratio. The environment variable COUNT changes how the server
// with six statements counts participants (baseline/join.mjs).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../scripts/free-port.mjs';
import { joinFor } from './lib/joins.mjs';
import { seedPeopleAndEvents } from './lib/seed.mjs';
import { cpuMicroseconds, median, startService } from './lib/service.mjs';

const require = createRequire(import.meta.url);
const { openEmbeddedPostgres } = require('../dist/libs/platform/database/embedded/embedded-postgres.js');

const CLIENTS = 50;
const EVENTS = 50_000;
const PEOPLE = 20_000;
/**
 * The load `hot` uses the first HOT_EVENTS events: in each run, people join the next one of these events. Nobody joins
 * the following UNJOINED_EVENTS events; these events have only seeded participants. The load `spread` uses the
 * remaining events.
 */
const HOT_EVENTS = 100;
const UNJOINED_EVENTS = 900;
const SPREAD_OFFSET = HOT_EVENTS + UNJOINED_EVENTS;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ROUND_MS = Number(process.env.ROUND_MS ?? 4_000);
const WARM_UP_MS = 1_000;
const SECRET = 'secret of the benchmark, and of nothing else';
const folder = mkdtempSync(join(tmpdir(), 'events-bench-'));

const database = await openEmbeddedPostgres({ folder: join(folder, 'postgres') });
const client = new pg.Client({ connectionString: database.url });
const servers = [];
try {
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    APP_SECRET: SECRET,
    JOBS: 'off',
    RATE_LIMIT_TOKEN_PER_MINUTE: '1000000000',
    RATE_LIMIT_IP_PER_MINUTE: '1000000000',
  };
  const service = await startService(env);
  servers.push({ name: 'service', ...service });
  for (const kind of ['six', 'same']) servers.push(await startBaseline(kind));
  await client.connect();
  const tokens = await seedPeopleAndEvents(client, PEOPLE, EVENTS);
  await seedParticipations();
  await assertSameAnswers(tokens);

  const result = {};
  for (const [load, nextRun] of Object.entries(await loads())) {
    for (const server of servers) await run(server, tokens, nextRun(), WARM_UP_MS);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const order = servers.map((_, i) => servers[(i + round) % servers.length]);
      const figures = {};
      for (const server of order) figures[server.name] = await run(server, tokens, nextRun(), ROUND_MS);
      rounds.push(figures);
    }
    result[load] = summarize(rounds);
    console.table({ ...result[load] });
  }
  console.log(JSON.stringify(result));
} finally {
  await client.end().catch(() => undefined);
  for (const server of servers) await server.stop();
  await database.release();
  rmSync(folder, { recursive: true, force: true });
}

async function startBaseline(kind) {
  const port = await freePort();
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'baseline/join.mjs'), kind], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      APP_SECRET: SECRET,
      PORT: String(port),
      BASE_URL: servers[0].origin,
      COUNT: process.env.COUNT ?? 'rows',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(origin).catch(() => null))) await pause(20);
  const ended = new Promise((done) => child.on('exit', done));
  return { name: kind, origin, pid: child.pid, stop: async () => (child.kill('SIGTERM'), await ended) };
}

/**
 * Adds each person to one of the UNJOINED_EVENTS events. With an empty table, a connection could cache a plan that
 * scans the whole table at each read. The service gets the first requests and would use such a plan; the other servers
 * would plan later, for a filled table.
 */
async function seedParticipations() {
  await client.query(
    `INSERT INTO participations (event_id, user_id, status, joined_at, check_in_code, created_at, updated_at)
     SELECT (SELECT min(id) FROM events) + $1 + u.id % $2, u.id, 'confirmed', now(), md5(u.id::text), now(), now() FROM users u WHERE u.slug <> 'jana'`,
    [HOT_EVENTS, UNJOINED_EVENTS],
  );
  await client.query(
    'UPDATE events e SET confirmed_count = n FROM (SELECT event_id, count(*) AS n FROM participations GROUP BY 1) p WHERE p.event_id = e.id',
  );
  await client.query('VACUUM (ANALYZE)');
}

/**
 * For each load, a function that returns {eventOf, joins} for one run: person n joins the event `eventOf(n)`, and at
 * most `joins` people join. No person joins an event twice.
 */
async function loads() {
  const {
    rows: [{ first }],
  } = await client.query('SELECT min(id)::int AS first FROM events');
  let hot = first;
  let offset = 0;
  return {
    hot: () => {
      const event = hot++;
      return { eventOf: () => event, joins: PEOPLE };
    },
    spread: () => {
      offset += 7919;
      const start = offset;
      return { eventOf: (n) => first + SPREAD_OFFSET + ((start + n * 31) % (EVENTS - SPREAD_OFFSET)), joins: PEOPLE };
    },
  };
}

async function assertSameAnswers(tokens) {
  const {
    rows: [{ last }],
  } = await client.query('SELECT max(id)::int AS last FROM events');
  const answers = [];
  for (const [i, { origin }] of servers.entries()) {
    const response = await fetch(`${origin}/api/v1/events/${last}/join`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[i]}` },
    });
    const { data } = await response.json();
    answers.push(
      JSON.stringify({
        ...data,
        current_participants: data.current_participants - i,
        viewer: { ...data.viewer, check_in_code: data.viewer.check_in_code.length },
      }),
    );
  }
  if (new Set(answers).size !== 1) throw new Error(`the answers differ:\n${answers.join('\n')}`);
}

/** Returns {rps, cpu}: joins per second, and the server's processor time per join in microseconds. */
async function run({ origin, pid }, tokens, { eventOf, joins }, milliseconds) {
  const cpu = cpuMicroseconds(pid);
  const since = performance.now();
  const count = await joinFor(milliseconds, { origin, tokens, eventOf, joins, connections: CLIENTS });
  const seconds = (performance.now() - since) / 1000;
  return { rps: count / seconds, cpu: (cpuMicroseconds(pid) - cpu) / count };
}

function summarize(rounds) {
  const rows = {};
  for (const { name } of servers) {
    const valuesOf = (figure) => rounds.map((round) => round[name][figure]);
    const ratios = (figure) => rounds.map((round) => round.service[figure] / round[name][figure]);
    const text = (values) =>
      `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)})`;
    rows[name] = {
      rps: Math.round(median(valuesOf('rps'))),
      cpu_us: Math.round(median(valuesOf('cpu'))),
      service_rps_ratio: text(ratios('rps')),
      service_cpu_ratio: text(ratios('cpu')),
    };
  }
  return rows;
}
