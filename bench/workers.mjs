// Compares a service of one process with a service of several processes that share a port (the setting WORKERS):
// responses per second and latencies over HTTP. Both services use one database of 10,000 events. In each round,
// requests are sent to one service and then to the other. The client and PostgreSQL use the same cores as the services.
// Options: --workers N, --clients N, --seconds N (the total time of the counted rounds, for each service and kind of
// request).
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { load, percentile } from './lib/load.mjs';
import { startRedis } from './lib/redis.mjs';
import { seedPeopleAndEvents } from './lib/seed.mjs';
import { median, startService } from './lib/service.mjs';

const { openEmbeddedPostgres } = createRequire(import.meta.url)(
  '../dist/libs/platform/database/embedded/embedded-postgres.js',
);
const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    clients: { type: 'string', default: '16' },
    seconds: { type: 'string', default: '20' },
  },
});
const [WORKERS, CLIENTS, SECONDS] = [options.workers, options.clients, options.seconds].map(Number);
const ROUNDS = 5;
const PEOPLE = 200;
const EVENTS = 10_000;
const KINDS = { 'GET /user': () => '/user', 'GET /discover/events': (n) => `/discover/events?page=${1 + (n % 20)}` };

const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
const postgres = await openEmbeddedPostgres({ folder: join(dataDir, 'postgres') });
const services = new Map();
// Several processes count requests in Redis. Both services use Redis, so that only the number of processes differs.
const redis = await startRedis();
try {
  if (!redis) throw new Error('redis-server is not installed');
  const env = {
    DATA_DIR: dataDir,
    REDIS_URL: redis.url,
    RATE_LIMIT_TOKEN_PER_MINUTE: '100000000',
    RATE_LIMIT_IP_PER_MINUTE: '100000000',
  };
  for (const workers of [1, WORKERS]) services.set(workers, await startService({ ...env, WORKERS: String(workers) }));
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  const tokens = await seedPeopleAndEvents(database, PEOPLE, EVENTS);
  await database.end();

  const result = {};
  for (const [kind, path] of Object.entries(KINDS)) {
    const requests = Array.from({ length: PEOPLE }, (_, n) => ({ path: `/api/v1${path(n)}`, token: tokens[n] }));
    const rounds = new Map([...services.keys()].map((workers) => [workers, []]));
    // The first round warms up every process and is not counted.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [workers, { origin }] of services) {
        const { latencies, rps, refused } = await load({
          origin,
          requests,
          connections: CLIENTS,
          seconds: SECONDS / ROUNDS,
        });
        if (refused > 0) throw new Error(`${refused} responses did not have the status 200`);
        if (round > 0)
          rounds.get(workers).push({ rps, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) });
      }
    }
    for (const [workers, measured] of rounds) {
      const medianOf = (name) => Number(median(measured.map((one) => one[name])).toFixed(1));
      result[`${kind}, WORKERS=${workers}`] = {
        per_second: Math.round(medianOf('rps')),
        p50_ms: medianOf('p50'),
        p99_ms: medianOf('p99'),
      };
    }
  }
  console.log(`${availableParallelism()} cores, ${CLIENTS} clients`);
  console.table(result);
  console.log(JSON.stringify(result));
} finally {
  for (const service of services.values()) await service.stop();
  redis?.stop();
  await postgres.release();
  rmSync(dataDir, { recursive: true, force: true });
}
