// Discover of groups among 100,000: over HTTP on the built service, with a database of its own. Goal: p99 below 20 ms by distance.
// Options: --groups N, --clients N, --seconds N.
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { childrensCpuMicroseconds, cpuMicroseconds, startService } from './lib/service.mjs';

const require = createRequire(import.meta.url);
const { openEmbeddedPostgres } = require('../dist/libs/platform/database/embedded/embedded-postgres.js');
const { hashSecret, mintSecret } = require('../dist/libs/areas/identity/token-secret.js');

const { values: options } = parseArgs({
  options: { groups: { type: 'string', default: '100000' }, clients: { type: 'string', default: '1' }, seconds: { type: 'string', default: '8' } },
});
const GROUPS = Number(options.groups);
const CLIENTS = Number(options.clients);
const SECONDS = Number(options.seconds);
const USERS = GROUPS;
const CALLERS = 100;
const GOAL_P99_MS = 20;
/** Rounds of every kind of request, one kind after the other, so that a busy machine hurts all of them. */
const ROUNDS = 4;

/** People and groups of a country: two of five groups lie in and around Prague; everybody is in ten groups or so. */
const SEED = `
  SELECT setseed(0.42);
  INSERT INTO users (slug, name, premium_until, created_at, updated_at)
    SELECT 'user-' || n, 'Jana Nováková ' || n, '2100-01-01', now(), now() FROM generate_series(1, ${USERS}) n;
  INSERT INTO groups (owner_id, name, description, is_public, location_name, latitude, longitude, members_count, invite_code, created_at, updated_at)
    SELECT 1 + n % ${USERS}, 'Parta ' || n, repeat('Scházíme se každý týden. ', 8), random() < 0.7, city.name,
           CASE WHEN placed THEN city.lat + spread * sqrt(-2 * ln(1 - r1)) * cos(2 * pi() * r2) END,
           CASE WHEN placed THEN city.lng + 1.5 * spread * sqrt(-2 * ln(1 - r1)) * sin(2 * pi() * r2) END,
           1, md5(n::text), now() - n * interval '1 second', now()
      FROM (SELECT n, random() < 0.85 AS placed, random() AS r1, random() AS r2, floor(power(random(), 2) * 6)::int AS city_no
              FROM generate_series(1, ${GROUPS}) n) g
      JOIN (VALUES (0, 'Praha', 50.08, 14.43, 0.08), (1, 'Brno', 49.19, 16.61, 0.06), (2, 'Ostrava', 49.83, 18.28, 0.06),
                   (3, 'Plzeň', 49.74, 13.38, 0.05), (4, 'Liberec', 50.77, 15.06, 0.04), (5, 'Vysočina', 49.5, 15.5, 0.5))
           city (no, name, lat, lng, spread) ON city.no = city_no;
  INSERT INTO group_members SELECT id, owner_id, 'owner', now(), now() FROM groups;
  INSERT INTO group_members SELECT 1 + floor(random() * ${GROUPS})::int, 1 + floor(random() * ${USERS})::int, 'member', now(), now()
    FROM generate_series(1, ${9 * GROUPS}) ON CONFLICT DO NOTHING;
  VACUUM ANALYZE users, groups, group_members, group_cells;`;

/** Around the cities, where the groups are, and a little beyond. */
function somewhere() {
  const [lat, lng] = [[50.08, 14.43], [49.19, 16.61], [49.83, 18.28], [50.08, 14.43]][Math.floor(Math.random() * 4)];
  return `lat=${(lat + (Math.random() - 0.5) * 0.4).toFixed(5)}&lng=${(lng + (Math.random() - 0.5) * 0.6).toFixed(5)}`;
}

const KINDS = {
  // What any request costs on this machine at this moment: one query for the token, no more.
  'baseline: GET /user': { path: () => '/user', goal: false },
  'nearest, 10 km': { path: () => `/groups/discover?${somewhere()}`, goal: true },
  'nearest, 10 km, page 5': { path: () => `/groups/discover?${somewhere()}&page=5`, goal: true },
  'nearest, 50 km': { path: () => `/groups/discover?${somewhere()}&radius_km=50`, goal: true },
  'nearest, 200 km': { path: () => `/groups/discover?${somewhere()}&radius_km=200`, goal: true },
  'nobody near': { path: () => `/groups/discover?lat=${(-40 - Math.random() * 20).toFixed(5)}&lng=-120`, goal: true },
  newest: { path: () => '/groups/discover', goal: false },
};

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

function ask(origin, path, token) {
  return new Promise((done, failed) => {
    const since = performance.now();
    get(`${origin}/api/v1${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume();
      answer.on('end', () => (answer.statusCode === 200 ? done(performance.now() - since) : failed(new Error(`${path}: ${answer.statusCode}`))));
    }).on('error', failed);
  });
}

async function load(origin, kind, tokens, seconds) {
  const until = performance.now() + seconds * 1000;
  const times = [];
  const client = async () => {
    while (performance.now() < until) times.push(await ask(origin, KINDS[kind].path(), tokens[Math.floor(Math.random() * tokens.length)]));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return times;
}

const percentile = (sorted, share) => Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1));

const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
const service = await startService({ DATA_DIR: dataDir, RATE_LIMIT_TOKEN_PER_MINUTE: '100000000', RATE_LIMIT_IP_PER_MINUTE: '100000000' });
let postgres;
try {
  postgres = await openEmbeddedPostgres({ folder: join(dataDir, 'postgres') });
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  for (const statement of SEED.split(/;\s*\n/)) if (statement.trim() !== '') await database.query(statement);
  const tokens = Array.from({ length: CALLERS }, () => mintSecret());
  await database.query(
    `INSERT INTO tokens (user_id, name, hash, access, created_at) SELECT n, 'bench', hash, 'read', now() FROM unnest($1::text[]) WITH ORDINALITY t (hash, n)`,
    [tokens.map(hashSecret)],
  );
  await database.end();

  const postmaster = Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
  // Processor time does not depend on what else the machine is doing; times on the clock do.
  const spent = () => ({ node: cpuMicroseconds(service.pid), backends: childrensCpuMicroseconds(postmaster) });
  const measured = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, { times: [], cpu: [0, 0] }]));
  for (const kind of Object.keys(KINDS)) await load(service.origin, kind, tokens, 1);
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of Object.keys(KINDS)) {
      const before = spent();
      measured[kind].times.push(...(await load(service.origin, kind, tokens, SECONDS / ROUNDS)));
      const { node, backends } = spent();
      measured[kind].cpu[0] += node - before.node;
      for (const [pid, now] of backends) measured[kind].cpu[1] += now - (before.backends.get(pid) ?? 0);
    }
  }
  const result = Object.fromEntries(
    Object.entries(measured).map(([kind, { times, cpu }]) => {
      const sorted = times.sort((a, b) => a - b);
      const [node_cpu_ms, database_cpu_ms] = cpu.map((microseconds) => Number((microseconds / 1000 / sorted.length).toFixed(2)));
      const p99 = percentile(sorted, 0.99);
      return [kind, {
        requests: sorted.length, per_second: Math.round(sorted.length / SECONDS), p50_ms: percentile(sorted, 0.5), p99_ms: p99, node_cpu_ms, database_cpu_ms,
        goal: KINDS[kind].goal ? (p99 < GOAL_P99_MS ? `below ${GOAL_P99_MS}: yes` : `below ${GOAL_P99_MS}: NO`) : '',
      }];
    }),
  );
  console.log(`${GROUPS} groups, ${CLIENTS} clients`);
  console.table(result);
  console.log(JSON.stringify(result));
} finally {
  agent.destroy();
  await service.stop();
  await postgres?.release();
  rmSync(dataDir, { recursive: true, force: true });
}
