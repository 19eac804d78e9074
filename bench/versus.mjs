// Compares this build with the build of another checkout on one machine and one PostgreSQL server. Measures joining one
// event (`hot`), joining many events (`spread`), the first page of Discover (`discover`), and the time from the start
// of the process to its first response (`start`). In each round, both builds are measured one after the other.
// `--seconds` is the duration of one measurement of joining or of Discover. Other programs on the machine affect both
// builds equally, so only the ratios of the builds' results are meaningful, especially the ratios of processor time.
//   git worktree add ../earlier 6fe3ed1 && (cd ../earlier && npm ci && npm run build)
//   npm run bench -- versus --other ../earlier [--only hot,spread,discover,start] [--rounds 8] [--seconds 2]
//     [--events 20000] [--sql FILE]
// `--sql`: a file with statements that run on this build's database before the start, to measure the cost of a trigger
// or an index.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { connected, tokenOf } from './discover/database.mjs';
import { joinFor } from './lib/joins.mjs';
import { load } from './lib/load.mjs';
import { seedPeopleAndEvents } from './lib/seed.mjs';
import { cpuDuring, cpuMicroseconds, MEASURED, median, postmasterOf, startService } from './lib/service.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    other: { type: 'string' },
    only: { type: 'string', default: 'hot,spread,discover,start' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '2' },
    events: { type: 'string', default: '20000' },
    sql: { type: 'string' },
  },
});
if (!options.other) throw new Error('--other is missing: the folder of another checkout that has been built');
const ROOTS = { other: resolve(options.other), this: ROOT };
const dist = (root, path) => createRequire(import.meta.url)(join(root, 'dist', path));
const ONLY = options.only.split(',');
const ROUNDS = Number(options.rounds);
const MILLISECONDS = Number(options.seconds) * 1_000;
const EVENTS = Number(options.events);
const PEOPLE = 20_000;
/**
 * The load `hot` uses the first HOT_EVENTS events, one in each run. Before the measurement, each person participates in
 * one of the next SEEDED_EVENTS events. The load `spread` uses the remaining events.
 */
const HOT_EVENTS = 100;
const SEEDED_EVENTS = 900;
const folder = mkdtempSync(join(tmpdir(), 'events-versus-'));
const stops = [];

try {
  const { openEmbeddedPostgres } = dist(ROOT, 'libs/platform/database/embedded/embedded-postgres.js');
  const postgres = await openEmbeddedPostgres({ folder: join(folder, 'postgres') });
  stops.push(() => postgres.release());
  await connected(postgres.url, async (client) => {
    await client.query('ALTER SYSTEM SET autovacuum = off');
    await client.query('SELECT pg_reload_conf()');
  });
  const result = {};
  if (ONLY.some((name) => name !== 'discover')) {
    const databases = await twoDatabases(postgres.url, 'versus', (url) => fillDatabase(url));
    const sides = await startSides(databases.urls);
    const joins = joinLoads(databases.tokens, databases.firstEvent);
    for (const name of ['hot', 'spread'].filter((one) => ONLY.includes(one)))
      result[name] = report(`join, ${name}`, await measureInTurns(sides, joins[name]));
    for (const { stop } of Object.values(sides)) await stop();
    if (ONLY.includes('start')) result.start = await measureStarts(databases.urls);
  }
  if (ONLY.includes('discover')) {
    process.env.BENCH_DATABASE = postgres.url;
    const { openBenchDatabases } = await import(pathToFileURL(join(ROOTS.other, 'bench/discover/database.mjs')).href);
    const { urls } = await twoDatabases(
      postgres.url,
      'versus_discover',
      null,
      await (await openBenchDatabases()).urlOf(EVENTS),
    );
    const sides = await startSides(urls);
    const requests = Array.from({ length: 200 }, (_, n) => ({ path: '/api/v1/discover/events', token: tokenOf(n) }));
    result.discover = report(
      'discover',
      await measureInTurns(sides, async ({ origin }, milliseconds) => {
        const { latencies, refused } = await load({ origin, requests, connections: 32, seconds: milliseconds / 1_000 });
        if (refused > 0) throw new Error(`${refused} responses did not have the status 200`);
        return latencies.length;
      }),
    );
    for (const { stop } of Object.values(sides)) await stop();
  }
  console.log(JSON.stringify(result));
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Creates and fills the database of the other build, or uses the database with the URL `ready`. Then copies this
 * database for this build, and migrates the copy. VACUUM FULL rewrites both databases, so that dead rows of a migration
 * have no effect. The second VACUUM writes the visibility maps, which VACUUM FULL leaves empty.
 */
async function twoDatabases(admin, name, fill, ready = null) {
  const urlOf = (database) => Object.assign(new URL(admin), { pathname: `/${database}` }).toString();
  const otherUrl = ready ?? urlOf(`${name}_other`);
  if (!ready) {
    await connected(admin, (client) =>
      client.query(`CREATE DATABASE ${name}_other TEMPLATE template0 ENCODING 'UTF8'`),
    );
    await dist(ROOTS.other, 'libs/platform/database/migrations.js').migrate(otherUrl);
  }
  const filled = fill ? await fill(otherUrl) : {};
  await connected(admin, (client) =>
    client.query(`CREATE DATABASE ${name}_this TEMPLATE "${new URL(otherUrl).pathname.slice(1)}"`),
  );
  const thisUrl = urlOf(`${name}_this`);
  await dist(ROOT, 'libs/platform/database/migrations.js').migrate(thisUrl);
  if (options.sql) await connected(thisUrl, (client) => client.query(readFileSync(options.sql, 'utf8')));
  for (const url of [otherUrl, thisUrl]) await connected(url, (client) => client.query('VACUUM (FULL, ANALYZE)'));
  for (const url of [otherUrl, thisUrl]) await connected(url, (client) => client.query('VACUUM (ANALYZE)'));
  return { ...filled, urls: { other: otherUrl, this: thisUrl } };
}

async function fillDatabase(url) {
  return connected(url, async (client) => {
    const tokens = await seedPeopleAndEvents(client, PEOPLE, EVENTS);
    const {
      rows: [{ first_event: firstEvent }],
    } = await client.query('SELECT min(id)::int AS first_event FROM events');
    await client.query(
      `INSERT INTO participations (event_id, user_id, status, joined_at, check_in_code, created_at, updated_at)
       SELECT $3::int + $1::int + u.id % $2::int, u.id, 'confirmed', now(), md5(u.id::text), now(), now() FROM users u WHERE u.slug <> 'jana'`,
      [HOT_EVENTS, SEEDED_EVENTS, firstEvent],
    );
    await client.query(
      'UPDATE events e SET confirmed_count = n FROM (SELECT event_id, count(*) AS n FROM participations GROUP BY 1) p WHERE p.event_id = e.id',
    );
    return { tokens, firstEvent };
  });
}

async function startSides(urls) {
  const sides = {};
  for (const [name, root] of Object.entries(ROOTS)) {
    const service = await startService({ ...MEASURED, DATABASE_URL: urls[name], DATA_DIR: join(folder, name) }, root);
    sides[name] = { ...service, url: urls[name], root, name };
    stops.push(service.stop);
  }
  return sides;
}

/** For each load, a function that runs it once on one build. The n-th runs of both builds use the same events. */
function joinLoads(tokens, firstEvent) {
  const turns = { other: 0, this: 0 };
  const spread = HOT_EVENTS + SEEDED_EVENTS;
  return {
    hot: ({ origin, name }, milliseconds) => {
      const event = firstEvent + (turns[name]++ % HOT_EVENTS);
      return joinFor(milliseconds, { origin, tokens, eventOf: () => event, joins: PEOPLE });
    },
    spread: ({ origin, name }, milliseconds) => {
      const start = 7919 * turns[name]++;
      return joinFor(milliseconds, {
        origin,
        tokens,
        eventOf: (n) => firstEvent + spread + ((start + n * 31) % (EVENTS - spread)),
        joins: PEOPLE,
      });
    },
  };
}

/**
 * Returns for each round and build: requests per second, and processor time of Node and of PostgreSQL in milliseconds
 * per request. The time of PostgreSQL includes its background processes and the idle connections of the other build.
 */
async function measureInTurns(sides, run) {
  const postmaster = await connected(sides.this.url, postmasterOf);
  const rounds = [];
  for (let round = -1; round < ROUNDS; round++) {
    const figures = {};
    for (const name of round % 2 ? ['this', 'other'] : ['other', 'this']) {
      const side = sides[name];
      const since = performance.now();
      const spent = await cpuDuring({ pid: side.pid, postmaster }, () => run(side, MILLISECONDS));
      const [requests, milliseconds] = [spent.result, performance.now() - since];
      figures[name] = {
        rps: requests / (milliseconds / 1_000),
        node: spent.node / 1_000 / requests,
        database: spent.database / 1_000 / requests,
        requests,
      };
    }
    // The first round is for warming up.
    if (round >= 0) rounds.push(figures);
  }
  return rounds;
}

async function measureStarts(urls) {
  const rounds = [];
  for (let round = -1; round < ROUNDS; round++) {
    const figures = {};
    for (const name of round % 2 ? ['this', 'other'] : ['other', 'this']) {
      const service = await startService(
        { ...MEASURED, JOBS: 'on', DATABASE_URL: urls[name], DATA_DIR: join(folder, name) },
        ROOTS[name],
      );
      figures[name] = { ms: service.startedMs, cpu: cpuMicroseconds(service.pid) / 1_000 };
      await service.stop();
      await pause(200);
    }
    if (round >= 0) rounds.push(figures);
  }
  return report('start', rounds);
}

/** Prints and returns the median of each build's rounds, and the median, minimum and maximum of the rounds' ratios. */
function report(title, rounds) {
  const names = Object.keys(rounds[0].this).filter((name) => name !== 'requests');
  const row = (side) =>
    Object.fromEntries(
      names.map((name) => [name, Number(median(rounds.map((round) => round[side][name])).toPrecision(4))]),
    );
  const ratios = Object.fromEntries(
    names.map((name) => {
      const each = rounds.map((round) => round.this[name] / round.other[name]);
      return [name, `${median(each).toFixed(3)} (${Math.min(...each).toFixed(2)}-${Math.max(...each).toFixed(2)})`];
    }),
  );
  const table = { other: row('other'), this: row('this'), ratio: ratios };
  console.log(title);
  console.table(table);
  return table;
}
