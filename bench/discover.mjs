// Compares two servers that serve Discover: the service, and a bare Fastify handler (discover/baseline.mjs). The
// database contains a million events. The two servers are measured alternately. Ratios are computed per round, and
// their median is compared with the goal, because absolute numbers depend on the machine. The comparison shows nothing
// about the SQL, because both servers run the same SQL. Therefore two other measurements run before the comparison:
// first the cost of text search, and then PostgreSQL's processor time for each kind of page, in multiples of a
// reference query. With --only-texts, only the cost of text search is measured. With --only-reference, both
// measurements run, but not the comparison.
//   npm run bench -- discover [--seconds 5] [--rounds 3] [--events 1000000] [--rows first,geo] [--calls 500]
//     [--only-reference] [--only-texts]
// --rows: makes only the comparisons whose names contain one of these texts. --calls: the number of measured calls of
// each page.
//   BENCH_DATABASE=postgres://…  the URL of a database server, with a superuser; by default, an embedded server is
//     used, whose data is in .cache/bench
import { deepStrictEqual } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../scripts/free-port.mjs';
import { connected, lockServer, openBenchDatabases, tokenOf, TOKEN_COUNT } from './discover/database.mjs';
import { pageCosts } from './discover/reference.mjs';
import { textsCost } from './discover/texts.mjs';
import {
  childrensCpuMicroseconds,
  cpuDuring,
  median,
  postmasterOf,
  residentMiB,
  startService,
  verdict,
} from './lib/service.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const CONNECTIONS = 32;
const SERVER_CORE = '0';
/** The core of PostgreSQL and of the program that sends the requests. */
const OTHER_CORE = '1';
const SECRET = 'the secret of the benchmark, which guards nothing';
const { values: options } = parseArgs({
  args: process.argv.slice(2),
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    events: { type: 'string', default: '1000000' },
    rows: { type: 'string' },
    calls: { type: 'string', default: '500' },
    'only-reference': { type: 'boolean' },
    'only-texts': { type: 'boolean' },
  },
});
/**
 * Pages of Discover whose cost is measured in multiples of the reference query. GOALS and DEFAULT_GOAL contain the
 * limits of this cost at a million events.
 */
const PAGES = {
  'first page': {},
  'page 51': { page: 51 },
  '10 km': { lat: 50.08, lng: 14.43, radius_km: 10 },
  'a word': { q: 'jezero' },
  'a common word': { q: 'pro' },
  'a type': { type: 'sport' },
  ids: { ids: Array.from({ length: 100 }, (_, n) => n * 37 + 1).join(',') },
  'an organizer': { organizer: 'user-7' },
  'an organizer of many events': { organizer: 'user-1' },
  'a series': { series: '1' },
  'a group': { group: '1' },
  free: { price: 'free' },
  paid: { price: 'paid' },
  'a small box': { bbox: '14.3,50.0,14.6,50.2' },
  'a large box': { bbox: '12,48,19,51.1' },
  'from a time on': { starts_after: new Date(Date.now() + 20 * 86_400_000) },
  'by start': { sort: 'starts_at' },
  'newest first': { sort: 'created_at' },
  'nearest first': { sort: 'distance', lat: 50.08, lng: 14.43, radius_km: 10 },
  'nearest first, 200 km': { sort: 'distance', lat: 50.08, lng: 14.43, radius_km: 200 },
};
/**
 * The goal for pages that GOALS does not contain: at a million events, such a page may cost at most this many times as
 * much as the reference query.
 */
const DEFAULT_GOAL = 3;
const GOALS = { 'first page': 1.6, 'page 51': 2.5, '10 km': 2, 'a word': 2, 'a common word': 2 };
const SECONDS = Number(options.seconds);
const ROUNDS = Number(options.rounds);

const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
const stops = [];
try {
  const databases = await openBenchDatabases();
  stops.push(() => databases.release());
  stops.push(await lockServer(databases.admin));
  const small = await databases.urlOf(10_000);
  const large = await databases.urlOf(Number(options.events));
  console.table(await textsCost(large));
  const pages = options['only-texts'] ? {} : await measurePageCosts(small, large);
  if (!options['only-texts'] && !options['only-reference']) await compareServices(small, large, pages);
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/**
 * Measures the cost of pages for PostgreSQL in multiples of a reference query, first in the small and then in the large
 * database. Calls of the page and of the reference query alternate. `growth` is the cost in the large database divided
 * by the cost in the small database.
 */
async function measurePageCosts(small, large) {
  const pages = {};
  for (const [events, url] of [
    [10_000, small],
    [Number(options.events), large],
  ])
    pages[events] = await pageCosts(url, PAGES, Number(options.calls));
  const [smallCosts, largeCosts] = [pages[10_000], pages[Number(options.events)]];
  console.table(
    Object.fromEntries(
      Object.keys(largeCosts).map((name) => [
        name,
        {
          'PG ms at 10,000': smallCosts[name].ms,
          'PG ms': largeCosts[name].ms,
          'times the reference at 10,000': smallCosts[name].times,
          'times the reference': largeCosts[name].times,
          goal: `${goalOf(name)}: ${verdict(largeCosts[name].times <= goalOf(name))}`,
          growth: Number((largeCosts[name].times / smallCosts[name].times).toFixed(2)),
          'heavy viewer (goal 1.3)': largeCosts[name].heavy,
        },
      ]),
    ),
  );
  return pages;
}

function goalOf(name) {
  return GOALS[name] ?? DEFAULT_GOAL;
}

/** Compares the service with the bare handler: requests per second, processor time and p99. */
async function compareServices(small, large, pages) {
  const rows = (await rowsFor(large)).filter(
    ({ name }) => !options.rows || options.rows.split(',').some((one) => name.includes(one)),
  );
  const postmaster = await connected(large, pinDatabase);
  const service = await startPinnedService(large);
  const bare = await startBareServer(large);
  const smallService = await startPinnedService(small);

  for (const { name, paths } of rows) for (const path of paths) await assertSameJson(name, path, service, bare);
  console.error('Both servers return equal JSON for every row.');

  const results = [];
  for (const row of rows) results.push(await compareRow(row, { app: service, base: bare }, postmaster));
  const growth = await compareRow(
    { name: `first page: ${options.events} events against 10000`, paths: ['/api/v1/discover/events'] },
    { app: service, base: smallService },
    postmaster,
  );

  console.table(
    Object.fromEntries(
      results.map((one) => [
        one.name,
        {
          'rps ratio': formatRatio(one.rps_ratio),
          'CPU ratio': formatRatio(one.cpu_ratio),
          'p99 ratio': formatRatio(one.p99_ratio),
          rps: Math.round(one.app.rps),
          'p50 ms': one.app.p50.toFixed(1),
          'p99 ms': one.app.p99.toFixed(1),
          'CPU µs': Math.round(one.app.cpu),
          'bare rps': Math.round(one.base.rps),
          'bare CPU µs': Math.round(one.base.cpu),
          'bare p99': one.base.p99.toFixed(1),
          'PG µs': Math.round(one.app.pg),
          'spread of bare rps': `${Math.round(one.spread * 100)} %`,
          verdict: one.verdict,
        },
      ]),
    ),
  );
  const ratio = growth.rps_ratio.median;
  console.log(
    `First page at ${options.events} events: ${(1 / ratio).toFixed(2)} times as slow as with 10000 (goal: 1.3 or less)`,
  );
  const result = {
    pages,
    events: Number(options.events),
    rounds: ROUNDS,
    seconds: SECONDS,
    connections: CONNECTIONS,
    rows: results,
    growth: { slower: 1 / ratio, large_rps: growth.app.rps, small_rps: growth.base.rps },
    resident_mib: { service: residentMiB(service.pid), bare: residentMiB(bare.pid) },
  };
  mkdirSync(join(ROOT, '.cache/bench'), { recursive: true });
  writeFileSync(join(ROOT, '.cache/bench/discover.json'), JSON.stringify(result, null, 2));
  console.log(JSON.stringify(result));
}

/**
 * The requests that are compared. Three search words are selected. They occur in about 0.05 %, 4 % and 39 % of the
 * events.
 */
async function rowsFor(url) {
  const words = await connected(url, async (client) => {
    const total = Number((await client.query('SELECT count(*) AS n FROM live_events')).rows[0].n);
    const { rows } = await client.query(
      `SELECT word FROM ts_stat('SELECT f_words(folded) FROM live_events TABLESAMPLE SYSTEM (3)') WHERE length(word) >= 4 AND word ~ '^[a-z]+$' ORDER BY ndoc DESC LIMIT 4000`,
    );
    const share = async (word) =>
      Number(
        (
          await client.query('SELECT count(*) AS n FROM live_events WHERE f_words(folded) @@ f_prefix_query($1)', [
            word,
          ])
        ).rows[0].n,
      ) / total;
    const closestWord = async (targetShare, from, to) => {
      const distance = (candidate) => Math.abs(Math.log(candidate.share / targetShare));
      let best = null;
      for (const { word } of rows.slice(from, to)) {
        const found = { word, share: await share(word) };
        if (!best || distance(found) < distance(best)) best = found;
      }
      return best;
    };
    return {
      rare: await closestWord(0.0005, rows.length - 40, rows.length),
      medium: await closestWord(0.04, 40, 120),
      common: await closestWord(0.39, 0, 25),
    };
  });
  const day = (n) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
  const list = (query) => `/api/v1/discover/events${query}`;
  const places = [
    [50.08, 14.43],
    [49.2, 16.61],
    [50.06, 14.5],
    [49.82, 18.26],
    [50.1, 14.4],
  ].map(([lat, lng]) => `lat=${lat}&lng=${lng}&radius_km=10`);
  const percent = ({ share }) => `${(share * 100).toFixed(share < 0.01 ? 2 : 0)} %`;
  return [
    { name: 'first page', paths: [list('')] },
    { name: 'page 50', paths: [list('?page=50')] },
    { name: `word, rare (${percent(words.rare)})`, paths: [list(`?q=${words.rare.word}`)] },
    { name: `word, ${percent(words.medium)}`, paths: [list(`?q=${words.medium.word}`)] },
    { name: `word, ${percent(words.common)}`, paths: [list(`?q=${words.common.word}`)] },
    { name: 'geo, 10 km', paths: places.map((place) => list(`?${place}`)) },
    {
      name: 'geo, type and dates',
      paths: places.map((place) => list(`?${place}&type=sport&date_from=${day(3)}&date_to=${day(10)}`)),
    },
  ];
}

async function startPinnedService(url) {
  const service = await startService({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    APP_SECRET: SECRET,
    JOBS: 'off',
    BASE_URL: 'http://bench.example',
    RATE_LIMIT_TOKEN_PER_MINUTE: '1000000000',
    RATE_LIMIT_IP_PER_MINUTE: '1000000000',
  });
  stops.push(service.stop);
  pin(service.pid, SERVER_CORE);
  return service;
}

async function startBareServer(url) {
  const { requestOptions } = createRequire(import.meta.url)(join(ROOT, 'dist/libs/platform/database/data-source.js'));
  const port = await freePort();
  const child = spawn(process.execPath, [join(ROOT, 'bench/discover/baseline.mjs')], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: url,
      BASE_URL: 'http://bench.example',
      APP_SECRET: SECRET,
      SESSION_OPTIONS: requestOptions(url, 1).extra.options,
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.on('exit', done));
  stops.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await new Promise((done, failed) => {
    child.stdout.once('data', done);
    void ended.then(() => failed(new Error('the bare server did not start')));
  });
  pin(child.pid, SERVER_CORE);
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid };
}

async function assertSameJson(name, path, service, bare) {
  for (let n = 0; n < 20; n++) {
    const headers = { authorization: `Bearer ${tokenOf((n * 13) % TOKEN_COUNT)}` };
    const [a, b] = await Promise.all(
      [service, bare].map(async ({ origin }) => (await fetch(origin + path, { headers })).json()),
    );
    if (!Array.isArray(a.data) || a.data.length === 0)
      throw new Error(`${name}: nothing to compare: ${JSON.stringify(a).slice(0, 300)}`);
    deepStrictEqual(a, b, `${name}: the answers differ`);
  }
}

/** In each round, measures one server after the other, in alternating order. The first round is not counted. */
async function compareRow({ name, paths }, { app, base }, postmaster) {
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const seconds = round === 0 ? Math.min(2, SECONDS) : SECONDS;
    const order = round % 2 ? ['base', 'app'] : ['app', 'base'];
    const measured = {};
    for (const side of order)
      measured[side] = await measureLoad(side === 'app' ? app : base, paths, seconds, postmaster);
    if (round > 0) rounds.push(measured);
  }
  const valuesOf = (side, figure) => rounds.map((round) => round[side][figure]);
  const ratio = (figure) => {
    const all = rounds.map((round) => round.app[figure] / round.base[figure]);
    return { median: median(all), min: Math.min(...all), max: Math.max(...all) };
  };
  const side = (name) =>
    Object.fromEntries(['rps', 'p50', 'p99', 'cpu', 'pg'].map((figure) => [figure, median(valuesOf(name, figure))]));
  const refused = valuesOf('app', 'refused')
    .concat(valuesOf('base', 'refused'))
    .reduce((sum, n) => sum + n, 0);
  if (refused > 0) throw new Error(`${name}: ${refused} responses did not have the status 200`);
  const spread = Math.max(...valuesOf('base', 'rps')) / Math.min(...valuesOf('base', 'rps')) - 1;
  const [rps_ratio, cpu_ratio, p99_ratio] = [ratio('rps'), ratio('cpu'), ratio('p99')];
  const passes = rps_ratio.median >= 0.9 && cpu_ratio.median <= 1.5 && p99_ratio.median <= 1.3;
  console.error(`${name}: rps ${formatRatio(rps_ratio)}, CPU ${formatRatio(cpu_ratio)}, p99 ${formatRatio(p99_ratio)}`);
  const outcome = passes ? 'passes' : 'fails';
  const judgement = spread > 0.25 ? `unsteady (${outcome})` : outcome;
  return { name, rps_ratio, cpu_ratio, p99_ratio, app: side('app'), base: side('base'), spread, verdict: judgement };
}

async function measureLoad({ origin, pid }, paths, seconds, postmaster) {
  const requests = Array.from({ length: 150 }, (_, n) => ({
    path: paths[n % paths.length],
    token: tokenOf((n * 7) % TOKEN_COUNT),
  }));
  const args = [
    join(ROOT, 'bench/discover/load.mjs'),
    JSON.stringify({ origin, requests, connections: CONNECTIONS, seconds }),
  ];
  const {
    result: text,
    node,
    database,
  } = await cpuDuring({ pid, postmaster }, () => output('taskset', ['-c', OTHER_CORE, process.execPath, ...args]));
  const result = JSON.parse(text);
  const pg = postmaster === null ? NaN : database / result.requests;
  return { ...result, cpu: node / result.requests, pg };
}

function output(command, args) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.on('error', failed).on('exit', (code) => (code === 0 ? done(text) : failed(new Error(`${command} failed`))));
  });
}

/**
 * Pins a local PostgreSQL server to a core and returns the server's process id. Null if this is not possible, for
 * example because the server is on another machine.
 */
async function pinDatabase(client) {
  try {
    const postmaster = await postmasterOf(client);
    const children = [...childrensCpuMicroseconds(postmaster).keys()];
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    // A server in a container or on another machine has other process ids.
    if (!children.map(Number).includes(rows[0].pid)) return null;
    for (const pid of [postmaster, ...children]) pin(pid, OTHER_CORE);
    return postmaster;
  } catch {
    return null;
  }
}

function pin(pid, core) {
  execFileSync('taskset', ['-acp', core, String(pid)], { stdio: 'ignore' });
}

function formatRatio({ median: middle, min, max }) {
  return `${middle.toFixed(2)} (${min.toFixed(2)}-${max.toFixed(2)})`;
}
