// Compares the responses of this build with those of the build of another checkout. Each build has its own copy of one
// filled database. Random requests are sent to both builds. Between the requests, the same changes are made to both
// databases. The order of the fields in two responses may differ. This build may also return additional fields, which
// are listed at the end. Any other difference is an error.
//   git worktree add ../earlier 6fe3ed1 && (cd ../earlier && npm ci && npm run build)
//   npm run bench -- equal --other ../earlier [--requests 10000] [--events 20000] [--seed 1] [--speed 5]
//     [--keep FOLDER]
// `--keep`: the databases stay in FOLDER, and later runs use them again. This saves many minutes, because filling a
// database with a million events is slow.
// `--speed N`: before the comparison, requests for the first page of Discover are sent to the two builds alternately,
// for N seconds each, with 32 connections. Requests per second, p99 and processor time are measured.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { connected, HEAVY_USER_ID, tokenOf, TOKEN_COUNT } from './discover/database.mjs';
import { load, percentile } from './lib/load.mjs';
import { cpuDuring, MEASURED, median, postmasterOf, startService } from './lib/service.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const dist = (path) => createRequire(import.meta.url)(join(ROOT, 'dist', path));
const { values: options } = parseArgs({
  options: {
    other: { type: 'string' },
    requests: { type: 'string', default: '10000' },
    events: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string' },
    keep: { type: 'string' },
  },
});
if (!options.other) throw new Error('--other is missing: the folder of another checkout that has been built');
const OTHER = resolve(options.other);
const EVENTS = Number(options.events);
const REQUESTS = Number(options.requests);
/** Number of requests between two changes. */
const CHANGE_EVERY = 40;
/** Rounds of `--speed`, after one round that is not counted. */
const ROUNDS = 5;
/** Number of concurrent requests, each sent to both builds. */
const CONCURRENCY = 4;
/**
 * If the two responses to a request differ, the request is sent again, with at most this number of attempts. A
 * difference may be temporary: an event may end between the two requests, and the total of a list that is filtered by
 * `min_participants` may be one second old (docs/adr/0007-totals.md).
 */
const TRIES = 4;
const RETRY_DELAY_MS = 400;
const SETTINGS = { ...MEASURED, BASE_URL: 'http://bench.example' };
/** The user id of the person with the n-th token. */
const userIdOf = (n) => 3 * (n + 1);

let state = Number(options.seed);
/** Returns pseudorandom numbers below 1. The same seed gives the same numbers. */
const draw = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
const pick = (list) => list[Math.floor(draw() * list.length)];
const maybe = (share, value) => (draw() < share ? value() : {});

const folder = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), 'events-equal-'));
const stops = [];
try {
  const { openEmbeddedPostgres } = dist('libs/platform/database/embedded/embedded-postgres.js');
  const postgres = await openEmbeddedPostgres({ folder: join(folder, 'postgres') });
  stops.push(() => postgres.release());
  const [otherUrl, thisUrl] = await twoDatabases(postgres.url);
  const texts = await connected(thisUrl, async (client) =>
    (await client.query('SELECT folded FROM live_events ORDER BY md5(id::text) LIMIT 500')).rows.map(({ folded }) =>
      folded.trim(),
    ),
  );
  // A side is a running build with its database.
  const sides = [];
  for (const [url, name, root] of [
    [otherUrl, 'before', OTHER],
    [thisUrl, 'now', ROOT],
  ]) {
    const side = await startService({ ...SETTINGS, DATABASE_URL: url, DATA_DIR: join(folder, name) }, root);
    stops.push(side.stop);
    sides.push(side);
  }
  if (options.speed) await speed(sides, thisUrl, Number(options.speed));
  await compareAll(sides, [otherUrl, thisUrl], texts);
} finally {
  for (const stop of stops.reverse()) await stop();
  if (!options.keep) rmSync(folder, { recursive: true, force: true });
}

/**
 * Lets the other build create and fill a database. If this database has no copy yet, adds many participations of one
 * person and many blocks of this person by other people, and then copies the database. Migrates the copy to this
 * build's schema.
 */
async function twoDatabases(adminUrl) {
  process.env.BENCH_DATABASE = adminUrl;
  const { openBenchDatabases } = await import(pathToFileURL(join(OTHER, 'bench/discover/database.mjs')).href);
  const otherUrl = await (await openBenchDatabases()).urlOf(EVENTS);
  const copy = `equal_now_${EVENTS}`;
  const thisUrl = Object.assign(new URL(adminUrl), { pathname: `/${copy}` }).toString();
  const existing = await connected(adminUrl, (client) =>
    client.query('SELECT FROM pg_database WHERE datname = $1', [copy]),
  );
  if (existing.rowCount === 0) await addHistoryAndCopy(adminUrl, otherUrl, copy);
  await dist('libs/platform/database/migrations.js').migrate(thisUrl);
  return [otherUrl, thisUrl];
}

async function addHistoryAndCopy(adminUrl, otherUrl, copy) {
  await connected(otherUrl, async (client) => {
    await client.query(
      `INSERT INTO user_blocks (blocker_id, blocked_id) SELECT id, ${HEAVY_USER_ID} FROM users WHERE id <> ${HEAVY_USER_ID} ORDER BY md5(id::text) LIMIT 200 ON CONFLICT DO NOTHING`,
    );
    await client.query(`INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at)
      SELECT id, ${HEAVY_USER_ID}, CASE WHEN n % 50 = 0 THEN 'banned' ELSE 'requested' END, now(), now(), now()
        FROM (SELECT id, row_number() OVER (ORDER BY md5(id::text)) AS n FROM events WHERE organizer_id <> ${HEAVY_USER_ID}) e WHERE n <= 2000 ON CONFLICT DO NOTHING`);
  });
  await connected(adminUrl, (client) =>
    client.query(`CREATE DATABASE ${copy} TEMPLATE "${new URL(otherUrl).pathname.slice(1)}"`),
  );
}

async function compareAll(sides, urls, texts) {
  const added = new Map();
  const kinds = {};
  const eventIds = [];
  let [same, rows, changes] = [0, 0, 0];
  for (let n = 0; n < REQUESTS; n += CHANGE_EVERY) {
    changes += await changeBoth(sides, urls, eventIds);
    const next = Array.from({ length: Math.min(CHANGE_EVERY, REQUESTS - n) }, () => ({
      ...randomRequest(texts, eventIds),
      token: tokenOf(draw() < 0.15 ? TOKEN_COUNT - 1 : Math.floor(draw() * 40)),
    }));
    const answers = [];
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (let one = next.shift(); one; one = next.shift())
          answers.push({ ...one, ...(await askBoth(sides, one.path, one.token, added)) });
      }),
    );
    for (const { kind, path, answer, equal } of answers.sort((one, other) => one.path.localeCompare(other.path))) {
      if (equal) same++;
      kinds[`${kind} ${answer.status}`] = (kinds[`${kind} ${answer.status}`] ?? 0) + 1;
      const data = answer.json?.data;
      if (!Array.isArray(data)) continue;
      rows += data.length;
      if (path.startsWith('/discover'))
        for (const { id } of data)
          if (eventIds.length < 3000) eventIds.push(id);
          else eventIds[Math.floor(draw() * 3000)] = id;
    }
  }
  console.table(kinds);
  const fields = [...added].map(([field, times]) => `${field} (${times})`).join(', ');
  console.log(
    `Both builds returned equal responses to ${REQUESTS} requests, with ${rows} rows in total; ${changes} changes were made between the requests. ${same} responses are equal byte for byte. Fields that only this build has in the other ${REQUESTS - same} responses: ${fields || 'none'}`,
  );
}

/** Sends the request to both sides in parallel. Throws if the responses differ. */
async function askBoth(sides, path, token, added) {
  for (let tries = 1; ; tries++) {
    const [a, b] = await Promise.all(sides.map(({ origin }) => fetchJson(`${origin}/api/v1${path}`, token)));
    if (a.status === b.status && a.text === b.text) return { answer: b, equal: true };
    const addedPaths = new Map();
    if (a.status === b.status && isDeepStrictEqual(a.json, withoutAddedFields(b.json, a.json, '', addedPaths))) {
      for (const field of addedPaths.keys()) added.set(field, (added.get(field) ?? 0) + 1);
      return { answer: b, equal: false };
    }
    if (tries === TRIES)
      throw new Error(
        `the answers to ${path} differ: ${a.status}, ${b.status}; first in ${firstDifference(a.json, b.json, '')}`,
      );
    await new Promise((done) => setTimeout(done, RETRY_DELAY_MS));
  }
}

async function fetchJson(url, token) {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  return { status: answer.status, text, json: text ? JSON.parse(text) : null };
}

/** Returns the path of the first difference, with both values. */
function firstDifference(a, b, path) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return isDeepStrictEqual(a, b) ? null : `${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference(a[name], b[name], `${path}.${name}`);
    if (found) return found.slice(0, 600);
  }
  return null;
}

/** Returns `value` without the fields that `model` does not have. Adds the paths of these fields to `addedPaths`. */
function withoutAddedFields(value, model, path, addedPaths) {
  if (Array.isArray(value) && Array.isArray(model))
    return value.map((one, n) => withoutAddedFields(one, model[n], `${path}[]`, addedPaths));
  if (
    typeof value !== 'object' ||
    value === null ||
    typeof model !== 'object' ||
    model === null ||
    Array.isArray(model)
  )
    return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      if (name in model) return [[name, withoutAddedFields(one, model[name], `${path}.${name}`, addedPaths)]];
      addedPaths.set(`${path}.${name}`, true);
      return [];
    }),
  );
}

function randomRequest(texts, eventIds) {
  const kind = eventIds.length === 0 || draw() < 0.85 ? 'list' : pick(['event', 'own']);
  if (kind === 'event') return { kind, path: `/discover/events/${pick(eventIds)}` };
  const page = {
    ...maybe(0.3, () => ({ page: pick([1, 2, 3, 7, 51, 5000]) })),
    ...maybe(0.2, () => ({ per_page: pick([1, 5, 50, 100]) })),
  };
  if (kind === 'own')
    return {
      kind,
      path: `/events?${new URLSearchParams({ ...maybe(0.7, () => ({ relation: pick(['joined', 'requested', 'invited', 'organizing']) })), ...maybe(0.5, () => ({ scope: pick(['upcoming', 'past']) })), ...page })}`,
    };
  const day = () => new Date(Date.now() + Math.floor(draw() * 60 - 5) * 86_400_000).toISOString().slice(0, 10);
  return {
    kind,
    path: `/discover/events?${new URLSearchParams({
      ...maybe(0.5, () => ({ q: randomSearchText(texts) })),
      ...maybe(0.2, () => ({ type: pick(['sport', 'food', 'walk', 'other']) })),
      ...maybe(0.1, () => ({ source: pick(['editorial', 'community']) })),
      ...maybe(0.1, () => ({ seeking_company: 1 })),
      ...maybe(0.1, () => ({ min_participants: pick([1, 2, 3]) })),
      ...maybe(0.1, () => ({ date_from: day() })),
      ...maybe(0.1, () => ({ date_to: day() })),
      ...maybe(0.25, () => ({
        lat: (50.08 + draw() - 0.5).toFixed(3),
        lng: (14.43 + draw() - 0.5).toFixed(3),
        radius_km: pick([1, 10, 40, 200]),
      })),
      ...page,
    })}`,
  };
}

/** Returns a random search text: words, parts of words, or one or two letters or digits. */
function randomSearchText(texts) {
  const from = pick(texts);
  const words = from.split(' ');
  const word = pick(words);
  const characters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return (
    pick([
      () => word,
      () => word,
      () => word.slice(0, 1 + Math.floor(draw() * 5)),
      () => `${word} ${pick(words)}`,
      () => from.slice(0, 60).trim(),
      () => pick([...characters]),
      () => pick([...characters]) + pick([...characters]),
      () => from.slice(Math.floor(draw() * 50), 55 + Math.floor(draw() * 20)).trim(),
      () => `${pick([...characters])} ${word}`,
      () => 'pro',
      () => 'Žluťoučký',
    ])() || 'pro'
  );
}

/**
 * Makes the same random change on both sides. The change affects lists and totals. Returns the number of changes: 0 if
 * `eventIds` is empty, otherwise 1.
 */
async function changeBoth(sides, urls, eventIds) {
  if (eventIds.length === 0) return 0;
  if (draw() < 0.5) {
    const who = Math.floor(draw() * 40);
    const [method, path, token] = [pick(['POST', 'DELETE']), `/events/${pick(eventIds)}/join`, tokenOf(who)];
    const [a, b] = await Promise.all(
      sides.map(
        async ({ origin }) =>
          (await fetch(`${origin}/api/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } })).status,
      ),
    );
    if (a !== b) throw new Error(`${method} ${path}: ${a} and ${b}`);
    // Each side has generated its own check-in codes, so the codes of the other build's database are copied to this
    // build's database.
    const { rows } = await connected(urls[0], (client) =>
      client.query(
        'SELECT event_id, check_in_code FROM participations WHERE user_id = $1 AND check_in_code IS NOT NULL',
        [userIdOf(who)],
      ),
    );
    for (const { event_id: event, check_in_code: code } of rows) {
      await connected(urls[1], (client) =>
        client.query(
          'UPDATE participations SET check_in_code = $3 WHERE user_id = $1 AND event_id = $2 AND check_in_code <> $3',
          [userIdOf(who), event, code],
        ),
      );
    }
    return 1;
  }
  const [id, person] = [1 + Math.floor(draw() * EVENTS), userIdOf(Math.floor(draw() * 40))];
  const sql = pick([
    `UPDATE events SET is_public = NOT is_public WHERE id = ${id}`,
    `UPDATE events SET starts_at = starts_at + interval '1 day', ends_at = ends_at + interval '1 day' WHERE id = ${id}`,
    `UPDATE events SET boosted_until = CASE WHEN boosted_until IS NULL THEN timestamptz '2099-01-01' END WHERE id = ${id}`,
    `UPDATE events SET description = description || ' jezero' WHERE id = ${id}`,
    `INSERT INTO user_blocks (blocker_id, blocked_id) SELECT organizer_id, ${person} FROM events WHERE id = ${id} AND organizer_id <> ${person} ON CONFLICT DO NOTHING`,
    `DELETE FROM user_blocks WHERE blocked_id = ${person} AND blocker_id = (SELECT min(blocker_id) FROM user_blocks WHERE blocked_id = ${person})`,
    `UPDATE participations SET status = 'banned' WHERE user_id = ${person} AND status = 'requested' AND event_id = (SELECT min(event_id) FROM participations WHERE user_id = ${person} AND status = 'requested')`,
  ]);
  // The statements contain no `now()`, so the compared responses do not depend on the time of the change.
  for (const url of urls) await connected(url, (client) => client.query(sql));
  return 1;
}

/**
 * Sends requests for the first page of Discover to both sides alternately, as fast as each side responds. Prints the
 * median of each figure for each side.
 */
async function speed(sides, url, seconds) {
  const postmaster = await connected(url, postmasterOf);
  const requests = Array.from({ length: 200 }, (_, n) => ({ path: '/api/v1/discover/events', token: tokenOf(n) }));
  const rounds = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const side of round % 2 ? [1, 0] : [0, 1]) {
      const { pid, origin } = sides[side];
      const { result, node, database } = await cpuDuring({ pid, postmaster }, () =>
        load({ origin, requests, connections: 32, seconds }),
      );
      const { latencies, rps, refused } = result;
      if (refused > 0) throw new Error(`${refused} responses did not have the status 200`);
      const msPerRequest = (microseconds) => microseconds / 1000 / latencies.length;
      // The first round is for warming up.
      if (round > 0)
        rounds[side].push({
          rps,
          p99: percentile(latencies, 0.99),
          node: msPerRequest(node),
          database: msPerRequest(database),
        });
    }
  }
  const medianOf = (side, figure) => Number(median(rounds[side].map((one) => one[figure])).toFixed(3));
  const figures = (side) => ({
    rps: medianOf(side, 'rps'),
    'p99 ms': medianOf(side, 'p99'),
    'Node ms': medianOf(side, 'node'),
    'PostgreSQL ms': medianOf(side, 'database'),
  });
  console.table({ other: figures(0), this: figures(1) });
  const ratio = (figure) => median(rounds[1].map((one, n) => one[figure] / rounds[0][n][figure])).toFixed(2);
  console.log(`Requests per second: ${ratio('rps')} times those of the other build; p99: ${ratio('p99')} times`);
}
