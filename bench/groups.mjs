// Measures the search for groups (`/groups/discover`) among 100,000 groups over HTTP. The compiled service runs with
// its own database. Goal: p99 below 20 ms for searches by distance. Options: --groups N, --clients N, --seconds N.
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { timedInTurns } from './lib/in-turns.mjs';
import { postmasterOf, startService } from './lib/service.mjs';

const require = createRequire(import.meta.url);
const { openEmbeddedPostgres } = require('../dist/libs/platform/database/embedded/embedded-postgres.js');
const { mintSecret } = require('../dist/libs/areas/identity/token-secret.policy.js');
const { hashSecret } = require('../dist/libs/platform/text/hash-secret.js');

const { values: options } = parseArgs({
  options: {
    groups: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '8' },
  },
});
const GROUPS = Number(options.groups);
const CLIENTS = Number(options.clients);
const SECONDS = Number(options.seconds);
const USERS = GROUPS;
const CALLERS = 100;
const GOAL_P99_MS = 20;
const ROUNDS = 5;
/** Number of requests that are prepared for each kind. These requests are sent repeatedly. */
const REQUESTS = 500;

/**
 * The people and groups of a country. Two of five groups are in or near Prague, and each person is in about ten groups.
 */
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
  VACUUM ANALYZE users, all_groups, group_members, group_cells;`;

/** Returns query parameters with a random place in or near one of the cities with the most groups. */
function randomPlaceQuery() {
  const [lat, lng] = [
    [50.08, 14.43],
    [49.19, 16.61],
    [49.83, 18.28],
    [50.08, 14.43],
  ][Math.floor(Math.random() * 4)];
  return `lat=${(lat + (Math.random() - 0.5) * 0.4).toFixed(5)}&lng=${(lng + (Math.random() - 0.5) * 0.6).toFixed(5)}`;
}

const KINDS = {
  // The cost of a minimal request on this machine: one query, for the token.
  'baseline: GET /user': { path: () => '/user', goal: false },
  'nearest, 10 km': { path: () => `/groups/discover?${randomPlaceQuery()}`, goal: true },
  'nearest, 10 km, page 5': { path: () => `/groups/discover?${randomPlaceQuery()}&page=5`, goal: true },
  'nearest, 50 km': { path: () => `/groups/discover?${randomPlaceQuery()}&radius_km=50`, goal: true },
  'nearest, 200 km': { path: () => `/groups/discover?${randomPlaceQuery()}&radius_km=200`, goal: true },
  'no group near': { path: () => `/groups/discover?lat=${(-40 - Math.random() * 20).toFixed(5)}&lng=-120`, goal: true },
  newest: { path: () => '/groups/discover', goal: false },
};

const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
const service = await startService({
  DATA_DIR: dataDir,
  RATE_LIMIT_TOKEN_PER_MINUTE: '100000000',
  RATE_LIMIT_IP_PER_MINUTE: '100000000',
});
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
  const postmaster = await postmasterOf(database);
  await database.end();

  const requestsOf = ({ path }) =>
    Array.from({ length: REQUESTS }, (_, n) => ({ path: `/api/v1${path()}`, token: tokens[n % CALLERS] }));
  const kinds = Object.fromEntries(
    Object.entries(KINDS).map(([name, kind]) => [
      name,
      { requests: requestsOf(kind), connections: CLIENTS, goalP99Ms: kind.goal ? GOAL_P99_MS : undefined },
    ]),
  );
  const result = await timedInTurns(kinds, {
    service,
    postmaster,
    seconds: SECONDS,
    rounds: ROUNDS,
  });
  console.log(`${GROUPS} groups, ${CLIENTS} clients`);
  console.table(result);
  console.log(JSON.stringify(result));
} finally {
  await service.stop();
  await postgres?.release();
  rmSync(dataDir, { recursive: true, force: true });
}
