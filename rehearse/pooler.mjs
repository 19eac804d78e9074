// Two servers of the service connect to PostgreSQL directly, and then through PgBouncer in transaction mode.
// PgBouncer has 8 connections. No request may fail, and no write may be lost.
//   npm run rehearse -- pooler [--requests 6000] [--break]
import { faultyProxy } from './lib/faults.mjs';
import {
  cli,
  environment,
  openDatabase,
  populate,
  sql,
  startPgbouncer,
  startServer,
  startHaproxy,
  startRedis,
  untilUp,
} from './lib/installation.mjs';
import { startLoad } from './lib/load.mjs';
import { folder, freePort, options, rehearse } from './lib/programs.mjs';

const { requests, isBroken } = options(
  'pooler',
  { requests: 6000 },
  'one comment is acknowledged but not stored, as if the pooler had lost a transaction',
);
const SERVERS = 2;
const CONNECTIONS = 8;
/** The connections of PgBouncer, and at most four direct connections of each server (docs/operating/scaling.md). */
const MAX_BACKENDS = CONNECTIONS + SERVERS * 4;
/** The number of requests with direct connections, before the servers are restarted with PgBouncer. */
const REQUESTS_BEFORE = 2_000;
/**
 * The maximum ratio of the latency through PgBouncer to the latency with direct connections (95th percentiles). If the
 * latency with direct connections is less than 50 ms, 50 ms is used instead. The latency through PgBouncer is higher
 * for two reasons: statements are not prepared under a name, and 8 connections serve both servers.
 */
const MAX_LATENCY_RATIO = 10;
const MAX_MINUTES = 15;

await rehearse('pooler', { maxMinutes: MAX_MINUTES }, async () => {
  const direct = await openDatabase();
  const pooled = await startPgbouncer(direct, CONNECTIONS);
  const env = environment(direct, folder('data'), { REDIS_URL: await startRedis() });
  const throughPooler = { ...env, DATABASE_URL: pooled, DATABASE_LISTEN_URL: direct, DATABASE_POOL: '20' };
  const people = await populate(env);
  const servers = [];
  for (let n = 0; n < SERVERS; n++) servers.push(await startServer(env, await freePort()));
  const origin = await startHaproxy(servers.map(({ port }) => port));
  const proxy = await faultyProxy(origin);

  const load = startLoad([isBroken ? proxy.origin : origin], people);
  await load.sent(REQUESTS_BEFORE);
  load.phase('restart');
  await load.pause();
  for (const server of servers) await server.stop();
  await Promise.all(servers.map(({ port }) => startServer(throughPooler, port)));
  await untilUp(servers.map(({ port }) => port));
  load.resume();
  load.phase('during');
  if (isBroken) proxy.fault = 'lost';
  let [maxBackends, isOver] = [0, false];
  const enoughRequests = load.sent(requests).finally(() => (isOver = true));
  while (!isOver) {
    const [{ backends }] = await sql(
      direct,
      `SELECT count(*)::int AS backends FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    maxBackends = Math.max(maxBackends, backends);
    await Promise.race([enoughRequests, new Promise((done) => setTimeout(done, 1_000))]);
  }
  const figures = await load.end({ ratio: MAX_LATENCY_RATIO });
  const doctor = await cli(throughPooler, ['doctor']);
  const jobs = await sql(
    direct,
    'SELECT count(*)::int AS runs, count(*) FILTER (WHERE finished_at IS NULL)::int AS unfinished FROM job_runs',
  );
  const ok = Object.values(doctor).every((verdict) => verdict.ok);
  return {
    ...figures,
    passed: figures.passed && maxBackends <= MAX_BACKENDS && ok && jobs[0].runs > 0 && jobs[0].unfinished === 0,
    pool_size: CONNECTIONS,
    most_backends: maxBackends,
    backends_allowed: MAX_BACKENDS,
    jobs: jobs[0],
    doctor: ok,
  };
});
