// Three servers of an older version are upgraded to this version. Then they are downgraded to the older version, unless
// the older version must refuse the newer database. The load is 100 requests per second, and the database contains a
// lot of data.
//   npm run rehearse -- upgrade [--from COMMIT] [--full] [--requests 6000] [--break]
// The default of --from is the last release. --full: 100,000 events and 300,000 participations. --requests: at least
// this many requests are sent during the upgrade. --break: a fault that a correct rehearsal must detect (programs.mjs).
import { setTimeout as pause } from 'node:timers/promises';
import {
  addToHaproxy,
  cli,
  environment,
  openDatabase,
  populate,
  removeFromHaproxy,
  sql,
  startHaproxy,
  startRedis,
  startServer,
} from './lib/installation.mjs';
import { startLoad } from './lib/load.mjs';
import { folder, freePort, options, rehearse, ROOT } from './lib/programs.mjs';
import { contentOf, seed } from './lib/seed.mjs';
import { buildVersion, formerVersion } from './lib/versions.mjs';

const { from, full, requests, isBroken } = options(
  'upgrade',
  { from: undefined, full: false, requests: 6000 },
  'after the migrations, a column that the older version still uses is dropped',
);
const SERVERS = 3;
const REQUESTS_BEFORE = 2_000;
const PAUSE_MS = 5_000;
const EVENTS = full ? 100_000 : 5_000;
const PARTICIPATIONS = EVENTS * 3;
/**
 * The latency during the upgrade may be at most this many times the latency before it. Migrations wait for locks, and a
 * starting server occupies one processor of the machine. Each of these delays takes seconds.
 */
const MAX_LATENCY_RATIO = 20;

/**
 * The result if the older version refuses the newer database. The older version must do so if it does not read the
 * table `schema_floor`, or does not know the migration in this table.
 */
const REFUSED = 'refused, as documented';

await rehearse('upgrade', { maxMinutes: full ? 60 : 30 }, async () => {
  const former = await buildVersion(from ?? formerVersion());
  const url = await openDatabase();
  const env = environment(url, folder('data'), { REDIS_URL: await startRedis(), SHUTDOWN_DELAY: '5' });
  const people = await populate(env, { root: former.root });
  await seed(url, EVENTS, PARTICIPATIONS);
  const content = await contentOf(url);
  const servers = [];
  for (let n = 0; n < SERVERS; n++) servers.push(await startServer(env, await freePort(), former.root));
  const origin = await startHaproxy(servers.map(({ port }) => port));

  const load = startLoad([origin], people, { hasKeys: former.knowsKeys });
  await load.sent(REQUESTS_BEFORE);
  load.phase('during');
  const enoughRequests = load.sent(requests);
  /** `replacedKnowDelay`: whether the servers that are replaced support SHUTDOWN_DELAY. */
  const replaceAll = async (root, replacedKnowDelay) => {
    for (let n = 0; n < SERVERS; n++) {
      // A server that does not report "not ready" before a shutdown must be removed from the proxy first.
      if (!replacedKnowDelay) await removeFromHaproxy(servers[n].port);
      await servers[n].stop();
      servers[n] = await startServer(env, servers[n].port, root);
      if (!replacedKnowDelay) await addToHaproxy(servers[n].port);
      await pause(PAUSE_MS);
    }
  };
  const plan = (await cli(env, ['migrate', '--plan'])).planned.map(({ migration, file }) => migration ?? file);
  const since = performance.now();
  const { applied } = await cli(env, ['migrate']);
  const migrateSeconds = Math.round((performance.now() - since) / 1000);
  if (isBroken) await sql(url, 'ALTER TABLE all_comments DROP COLUMN body CASCADE');
  // Servers of the older version must work with the newer database.
  await pause(PAUSE_MS);
  await replaceAll(ROOT, former.knowsDelay);
  const [floor] = await sql(url, 'SELECT migration FROM schema_floor');
  const mayGoBack = former.knowsFloor && former.migrations.includes(floor.migration);
  const back = mayGoBack
    ? await replaceAll(former.root, true).then(
        () => 'yes',
        (error) => error.message,
      )
    : await refusal(env, former.root);
  await enoughRequests;
  const figures = await load.end({ ratio: MAX_LATENCY_RATIO });
  const isSame = (await contentOf(url)) === content;
  return {
    ...figures,
    passed: figures.passed && isSame && back === (mayGoBack ? 'yes' : REFUSED),
    from: former.commit,
    events: EVENTS,
    participations: PARTICIPATIONS,
    content_unchanged: isSame,
    migrations: applied.length,
    planned: plan.length,
    migrate_seconds: migrateSeconds,
    back,
  };
});

/** Starts a server of a version that must refuse the newer database. Returns `REFUSED`, or a text about the failure. */
async function refusal(env, root) {
  return startServer(env, await freePort(), root).then(
    () => 'the older version starts, although it must refuse the newer database',
    (error) => (/ended with 1$/.test(error.message) ? REFUSED : error.message),
  );
}
