// Runs the service in this process, sends requests to it, and records the named statements that each request executes.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { TOKEN_COUNT, tokenOf } from '../discover/database.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
export const dist = (path) => createRequire(import.meta.url)(join(ROOT, 'dist', path));

/** The kind of a recorded statement ends with this text if the first request of that kind executed the statement. */
export const FIRST = ', first request';

/**
 * A request that gets a 503 is sent at most this many times. The first reads of a large database from the disk can
 * exceed the service's time limits.
 */
const MAX_ATTEMPTS = 10;

/** The recorded statements of the current run, or null between runs. */
let recording = null;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (config, ...rest) {
  if (recording?.request)
    for (const { name, text, values = [] } of namedStatementsIn(config))
      recording.executions.push({ ...recording.request, name, text, values });
  return query.call(this, config, ...rest);
};

/**
 * Returns the named statements in a message to PostgreSQL: one statement, or several short reads
 * (libs/platform/database/read-batcher.ts). Messages with the statements of a change are ignored, because they also
 * begin and commit a transaction.
 */
function namedStatementsIn(config) {
  if (config?.name) return [config];
  return config?.collected === 'all' ? config.statements : [];
}

/**
 * For each kind of request, sends one first request and then `calls` requests of ten typical viewers (`light`). After
 * that, sends `calls` requests of each kind for the viewer with a lot of data (`heavy`).
 *
 * @param kindsOf gets {app, read}: the running service, and a function (viewer number, path) → JSON of the response.
 * `kindsOf` returns an object with the kinds as keys. Each value is a function (n, viewer number) → {method?, path},
 * which describes the request with the number n.
 *
 * @param after gets the running service after the last request
 *
 * @returns {executions, after}: a list of {kind, viewer, name, text, values}, and the result of the function `after`;
 * for a first request, `kind` ends with FIRST
 */
export async function record(url, { calls, kindsOf, after = () => undefined }) {
  // One viewer sends more searches for people in a minute than the service allows, so the limits are raised.
  dist('apps/server/sandbox/sandbox-limits.js').raiseLimits();
  const { NestFactory } = await import('@nestjs/core');
  const { newAdapter, setUpServer } = dist('apps/server/server.setup.js');
  const { ServerModule } = dist('apps/server/server.module.js');
  const { readSettings } = dist('libs/platform/config/load-settings.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
  const settings = readSettings({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    APP_SECRET: 'the secret of the benchmark, which guards nothing',
    JOBS: 'off',
    DEMO_DATA: 'off',
    LOG_LEVEL: 'silent',
    DATABASE_POOL: '4',
    RATE_LIMIT_TOKEN_PER_MINUTE: '1000000000',
    RATE_LIMIT_IP_PER_MINUTE: '1000000000',
  });
  const app = await NestFactory.create(ServerModule.with(settings), newAdapter(settings), {
    bodyParser: false,
    logger: false,
  });
  await setUpServer(app);
  await app.listen(0, '127.0.0.1');
  const { origin } = new URL(`http://127.0.0.1:${app.getHttpServer().address().port}`);
  const ask = (viewerNumber, { method = 'GET', path }) =>
    fetch(`${origin}${path}`, { method, headers: { authorization: `Bearer ${tokenOf(viewerNumber)}` } });
  recording = { executions: [], request: null };
  try {
    const read = async (viewerNumber, path) => (await ask(viewerNumber, { path })).json();
    const kinds = await kindsOf({ app, read });
    for (const viewer of ['light', 'heavy']) {
      for (const [kind, requestOf] of Object.entries(kinds)) {
        // The first request also counts the total of a list, so it is recorded as a separate kind.
        for (let n = viewer === 'light' ? -1 : 0; n < calls; n++) {
          // Ten typical viewers take turns.
          const viewerNumber = viewer === 'heavy' ? TOKEN_COUNT - 1 : Math.max(0, n) % 10;
          const request = requestOf(Math.max(0, n), viewerNumber);
          const recorded = recording.executions.length;
          let answer;
          for (let attempt = 1; attempt <= MAX_ATTEMPTS && (!answer || answer.status === 503); attempt++) {
            recording.executions.length = recorded;
            recording.request = { kind: n < 0 ? kind + FIRST : kind, viewer };
            answer = await ask(viewerNumber, request);
            recording.request = null;
            await answer.arrayBuffer();
            if (answer.status === 503) console.error(`${kind}, ${viewer}: 503 at attempt ${attempt}`);
          }
          if (answer.status === 429 || answer.status >= 500) throw new Error(`${kind}: ${answer.status}`);
        }
      }
    }
    return { executions: recording.executions, after: await after(app) };
  } finally {
    recording = null;
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Opens a connection with the settings of the service's connections. Returns it with the process id of its backend. */
export async function serviceConnection(url) {
  const { requestOptions } = dist('libs/platform/database/data-source.js');
  const client = new pg.Client({ connectionString: url, options: requestOptions(url, 1).extra.options });
  await client.connect();
  return { client, pid: (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid };
}

/** The public id (hashid) of the row whose id in the database is `number`. */
export function publicId(app, kind, number) {
  return app.get(dist('libs/platform/http/public-ids.js').PublicIds, { strict: false }).encode(kind, number);
}

/** Reads of lists and of one event. `event` is the id of the event with 10,000 participants. */
export function kindsOfReads(event) {
  const placeOf = (n) => `lat=${(50.08 + (n % 5) * 0.01).toFixed(3)}&lng=${(14.43 + (n % 3) * 0.01).toFixed(3)}`;
  const get = (path) => ({ path: `/api/v1${path}` });
  const list = (query) => () => get(`/discover/events${query}`);
  const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  return {
    'discover, first page': list(''),
    'discover, page 51': list('?page=51'),
    'discover, a common word': list('?q=pro'),
    'discover, a word': list('?q=jezero'),
    'discover, a rare word': (n) => get(`/discover/events?q=${['vlttače', 'žďázaba', 'korchov'][n % 3]}`),
    'discover, two letters': (n) => get(`/discover/events?q=${['qx', 'ze', 'vl'][n % 3]}`),
    'discover, 10 km': list('?lat=50.08&lng=14.43&radius_km=10'),
    'discover, 10 km, different places': (n) => get(`/discover/events?${placeOf(n)}&radius_km=10`),
    'discover, type and dates': list(`?type=sport&date_from=${day}`),
    'events, going': () => get('/events?relation=joined&scope=upcoming'),
    'events, past': () => get('/events?relation=joined&scope=past'),
    'events, own': () => get('/events?scope=upcoming'),
    'one event': () => get(`/discover/events/${event}`),
    participants: () => get(`/events/${event}/participants?page=10`),
    comments: () => get(`/events/${event}/comments?page=10`),
    puls: (n) => get(`/puls?${placeOf(n)}&radius_km=50&limit=100`),
    'groups nearby': (n) => get(`/groups/discover?${placeOf(n)}&radius_km=50`),
  };
}
