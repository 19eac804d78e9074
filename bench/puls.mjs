// Measures the Puls feed (posts near a place, active for 24 hours) over HTTP, and compares it with a minimal request,
// `GET /user`. There are 50,000 active posts: around four Czech cities, and spread over the whole country.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { timedInTurns } from './lib/in-turns.mjs';
import { apply, postmasterOf, startService } from './lib/service.mjs';

const DIST = resolve(import.meta.dirname, '../dist');
const { openEmbeddedPostgres } = createRequire(import.meta.url)(
  join(DIST, 'libs/platform/database/embedded/embedded-postgres.js'),
);

const POSTS = 50_000;
const SECONDS = 9;
const ROUNDS = 7;
/** Number of different requests of each kind. These requests are sent repeatedly. */
const REQUESTS = 500;
/** Loads: one client, many clients at random times, and enough clients to use two cores completely. */
const LOADS = {
  '1 at once': { connections: 1 },
  '100 a second': { connections: 16, perSecond: 100 },
  '4 at once': { connections: 4 },
};
const GOAL_P99_MS = 20;
/** Four cities and the whole country: latitude, longitude, spread in degrees, share of the posts. */
const AREAS = [
  [50.08, 14.43, 0.06, 0.4],
  [49.19, 16.61, 0.05, 0.15],
  [49.83, 18.28, 0.06, 0.1],
  [49.74, 13.38, 0.04, 0.08],
  [49.8, 15.3, 0.6, 0.27],
];

const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
const env = { DATA_DIR: dataDir, RATE_LIMIT_TOKEN_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' };

/** `draw` returns pseudorandom numbers below 1, which are the same in every run. */
let state = 1;
const draw = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;

/** Creates people and their posts. Nearly every person blocks one other person. Returns PostgreSQL's process id. */
async function seed() {
  const database = await openEmbeddedPostgres({ folder: join(dataDir, 'postgres') });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`SELECT setseed(0.42)`);
  await client.query(
    `INSERT INTO users (slug, name, created_at, updated_at) SELECT 'bench-' || i, 'Člověk ' || i, now(), now() FROM generate_series(1, 20000) i`,
  );
  await client.query(`INSERT INTO user_blocks (blocker_id, blocked_id)
    SELECT DISTINCT a.id, b.id FROM (SELECT id, row_number() OVER (ORDER BY random()) r FROM users) a JOIN (SELECT id, row_number() OVER (ORDER BY random()) r FROM users) b USING (r) WHERE a.id <> b.id`);
  for (const [latitude, longitude, spread, share] of AREAS) {
    await client.query(
      `INSERT INTO puls_posts (author_id, body, latitude, longitude, location_name, created_at, expires_at)
       SELECT (SELECT min(id) FROM users) + floor(random() * 20000)::int, repeat('Sedím v parku a čekám. ', 6),
              $1::float8 + $3::float8 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()),
              $2::float8 + 1.5 * $3::float8 * sqrt(-2 * ln(1 - random())) * sin(2 * pi() * random()),
              'Park', now() - interval '1 hour' * random(), now() + interval '23 hours'
         FROM generate_series(1, $4::int)`,
      [latitude, longitude, spread, Math.round(POSTS * share)],
    );
  }
  for (const table of ['all_puls_posts', 'users', 'user_blocks']) await client.query(`VACUUM ANALYZE ${table}`);
  const postmaster = await postmasterOf(client);
  await client.end();
  await database.release();
  return postmaster;
}

const KINDS = {
  'feed, 10 km, 50 posts': () => `/api/v1/puls?${randomPlaceQuery()}`,
  'feed, 50 km, 100 posts': () => `/api/v1/puls?${randomPlaceQuery()}&radius_km=50&limit=100`,
  'GET /user': () => '/api/v1/user',
};
function randomPlaceQuery() {
  const [latitude, longitude] = AREAS[Math.floor(draw() * AREAS.length)];
  return `lat=${(latitude + (draw() - 0.5) * 0.1).toFixed(5)}&lng=${(longitude + (draw() - 0.5) * 0.1).toFixed(5)}`;
}

const service = await startService(env);
try {
  const { users } = await apply(
    {
      users: [
        {
          slug: 'viewer',
          name: 'Viewer',
          premium_until: '2040-01-01T00:00:00Z',
          tokens: [{ name: 'bench', access: 'read' }],
        },
      ],
    },
    env,
  );
  const [{ token }] = users[0].tokens;
  const postmaster = await seed();

  const kinds = {};
  for (const [name, path] of Object.entries(KINDS)) {
    for (const [loadName, load] of Object.entries(LOADS)) {
      const requests = Array.from({ length: REQUESTS }, () => ({ path: path(), token }));
      kinds[`${name}, ${loadName}`] = {
        ...load,
        requests,
        goalP99Ms: name.startsWith('feed') ? GOAL_P99_MS : undefined,
      };
    }
  }
  const results = await timedInTurns(kinds, {
    service,
    postmaster,
    seconds: SECONDS,
    rounds: ROUNDS,
  });
  console.table(results);
  console.log(JSON.stringify({ posts: POSTS, results }));
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
