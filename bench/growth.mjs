// Compares the processor time of PostgreSQL for each kind of read request between two databases with different numbers
// of events (--sizes).
//   npm run bench -- growth [--sizes 1000000,10000000] [--calls 40]
//   --calls  the number of requests of each kind and viewer
//   BENCH_DATABASE=postgres://…  the URL of a database server, with a superuser; by default, an embedded server is
//     used, whose data is in .cache/bench
// The service runs once on each database, and the named statements of its requests are recorded. These statements are
// then repeated alternately in both databases, so that other load on the machine affects both equally. Goal: in the
// larger database, a request takes at most 1.2 times as much processor time as in the smaller database.
import { parseArgs } from 'node:util';
import { crowdEventIdOf, openBenchDatabases, TOKEN_COUNT, userCountOf } from './discover/database.mjs';
import { cpuMs, median, verdict } from './lib/service.mjs';
import { dist, FIRST, publicId, kindsOfReads, record, serviceConnection } from './statements/capture.mjs';

const { values: options } = parseArgs({
  options: { sizes: { type: 'string', default: '1000000,10000000' }, calls: { type: 'string', default: '40' } },
});
const CALLS = Number(options.calls);
const SIZES = options.sizes.split(',').map(Number);
const ROUNDS = 5;
const GOAL = 1.2;
const DAY_MS = 86_400_000;

const databases = await openBenchDatabases();
try {
  const urls = [];
  for (const events of SIZES) urls.push(await databases.urlOf(events));
  const recorded = [];
  for (const [n, url] of urls.entries()) recorded.push(await executionsOf(url, SIZES[n]));
  const rows = await compare(urls, recorded);
  console.table(rows);
  console.log(JSON.stringify({ sizes: SIZES, calls: CALLS, rows }));
} finally {
  await databases.release();
}

/** Returns, for each kind of request and viewer, the milliseconds in both databases, their ratio, and the verdict. */
async function compare(urls, recorded) {
  const connections = await Promise.all(urls.map(serviceConnection));
  const rows = {};
  try {
    for (const key of recorded[0].keys()) {
      const executions = recorded.map((all) => all.get(key) ?? []);
      // The first request of each kind has its own key, which contains FIRST.
      const requestCount = key.includes(FIRST) ? 1 : CALLS;
      const [small, large] = await alternately(connections, executions, requestCount);
      rows[key] = {
        [`PG ms at ${SIZES[0]}`]: rounded(small),
        [`PG ms at ${SIZES[1]}`]: rounded(large),
        growth: rounded(large / small),
        goal: `${GOAL}: ${verdict(large / small <= GOAL)}`,
      };
    }
  } finally {
    for (const { client } of connections) await client.end();
  }
  return rows;
}

/**
 * Sends the requests to the service, which uses the database with this number of events. Returns the recorded
 * executions of statements, grouped by the kind of the request and the viewer.
 */
async function executionsOf(url, events) {
  const { executions } = await record(url, { calls: CALLS, kindsOf: (service) => requestKinds(service, events) });
  const groups = new Map();
  for (const one of executions) {
    const key = `${one.kind}, ${one.viewer}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

async function requestKinds({ app, read }, events) {
  const cursors = app.get(dist('libs/platform/changes/cursor.js').CursorSealer, { strict: false });
  // `cursor(29, 0)` is the cursor of a client that has not read the last 29 days of the feed, and `cursor(0, events)`
  // the cursor of a client that has read the whole feed.
  const cursor = (days, number) => cursors.seal({ at: new Date(Date.now() - days * DAY_MS), number: BigInt(number) });
  const calendars = new Map();
  for (const viewer of [...Array(10).keys(), TOKEN_COUNT - 1])
    calendars.set(viewer, new URL((await read(viewer, '/api/v1/user/calendar')).data.url).pathname);
  const users = userCountOf(events);
  const event = publicId(app, 'event', crowdEventIdOf(events));
  const ids = Array.from({ length: 100 }, (_, n) => publicId(app, 'event', n * 37 + 1)).join(',');
  const get = (path) => () => ({ path: `/api/v1${path}` });
  const discover = (query) => get(`/discover/events?${query}`);
  return {
    ...kindsOfReads(event),
    'discover, ids': discover(`ids=${ids}`),
    // In databases of all sizes, 1 % of the people are more active than this organizer (seed.sql). So the requests are
    // comparable.
    'discover, an organizer': discover(`organizer=user-${1 + (((users / 100) * 7919) % users)}`),
    'discover, an organizer of many events': discover('organizer=user-1'),
    'discover, free': discover('price=free'),
    'discover, paid': discover('price=paid'),
    'discover, a small box': discover('bbox=14.3,50.0,14.6,50.2'),
    'discover, a large box': discover('bbox=12,48,19,51.1'),
    'discover, by start': discover('sort=starts_at'),
    'discover, newest first': discover('sort=created_at'),
    'discover, nearest first': discover('sort=distance&lat=50.08&lng=14.43&radius_km=10'),
    'people, a name': get('/users?q=markéta beránek'),
    'participants, first page': get(`/events/${event}/participants`),
    'changes of 29 days': get(`/changes?cursor=${cursor(29, 0)}`),
    'changes, nothing new': get(`/changes?cursor=${cursor(0, events)}`),
    calendar: (n, viewer) => ({ path: calendars.get(viewer) }),
  };
}

/**
 * Repeats the executions of one kind of request alternately on all connections. Returns for each connection the median
 * of the rounds, in milliseconds of processor time per request.
 */
async function alternately(connections, executions, requestCount) {
  const rounds = connections.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [n, { client, pid }] of connections.entries()) {
      const before = cpuMs(pid);
      for (const { name, text, values } of executions[n]) await client.query({ name, text, values });
      // The first round fills the caches and is not measured.
      if (round > 0) rounds[n].push((cpuMs(pid) - before) / requestCount);
    }
  }
  return rounds.map(median);
}

function rounded(number) {
  return Number.isFinite(number) ? Number(number.toFixed(2)) : '';
}
