// Two replicas on PgBouncer in transaction mode with 8 connections to PostgreSQL, 100 requests a second: none of 6,000 fails.
//   npm run rehearse -- pooler [--requests 6000]
import { parseArgs } from 'node:util';
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
} from './lib/installation.mjs';
import { steadyLoad } from './lib/load.mjs';
import { folder, freePort, rehearse } from './lib/programs.mjs';

const {
  values: { requests },
} = parseArgs({ options: { requests: { type: 'string', default: '6000' } } });
const CONNECTIONS = 8;

await rehearse('pooler', 6, async () => {
  const direct = await openDatabase();
  const pooled = await startPgbouncer(direct, CONNECTIONS);
  const env = environment(pooled, folder('data'), {
    DATABASE_LISTEN_URL: direct,
    REDIS_URL: await startRedis(),
    DATABASE_POOL: '20',
  });
  const people = await populate(env);
  const replicas = [await startServer(env, await freePort()), await startServer(env, await freePort())];
  const origin = await startHaproxy(replicas.map(({ port }) => port));

  let most = 0;
  let looking = null;
  const look = async () => {
    const [{ backends }] = await sql(
      direct,
      `SELECT count(*)::int AS backends FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    most = Math.max(most, backends);
    looking = null;
  };
  const figures = await steadyLoad(origin, people, {
    requests: Number(requests),
    onRequest: (n) => n % 100 === 0 && (looking ??= look()),
  });
  await looking;
  const doctor = await cli(env, ['doctor']);
  const jobs = await sql(
    direct,
    'SELECT count(*)::int AS runs, count(*) FILTER (WHERE finished_at IS NULL)::int AS unfinished FROM job_runs',
  );
  const ok = Object.values(doctor).every((verdict) => verdict.ok);
  return {
    held: figures.failed === 0 && ok && jobs[0].runs > 0 && jobs[0].unfinished === 0,
    pool_size: CONNECTIONS,
    most_backends: most,
    jobs: jobs[0],
    doctor: ok,
    ...figures,
  };
});
