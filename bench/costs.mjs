// Measures the cost of each operation: the processor time of Node and of PostgreSQL, and the bytes of write-ahead log.
// Also measures the bytes per row of each table, the stored bytes of a picture, the memory of a server process, the
// number of commands that Redis executes for a request, and the cost of the function `number_changes()`, which gives
// each entry of the feed of changes its number. `npm run capacity` uses these figures.
//   npm run bench -- costs [--events 100000] [--requests 900] [--only reads,writes,…] [--write]
// --write stores the figures in bench/capacity/costs.json. The bytes per row are measured only if both `writes` and
// `deliveries` run.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Redis from 'ioredis';
import pg from 'pg';
import sharp from 'sharp';
import { copyOf, HEAVY_USER_ID, openBenchDatabases } from './discover/database.mjs';
import { startRedis } from './lib/redis.mjs';
import {
  cpuDuring,
  cpuMs,
  forkHelper,
  MEASURED,
  median,
  postmasterOf,
  residentMiB,
  startReceivers,
  startService,
} from './lib/service.mjs';

const require = createRequire(import.meta.url);
const { mintSecret } = require('../dist/libs/areas/identity/token-secret.policy.js');
const { hashPassword } = require('../dist/libs/areas/identity/passwords.js');

const { values: options } = parseArgs({
  args: process.argv.slice(2),
  options: {
    events: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '900' },
    only: { type: 'string', default: 'reads,writes,signIns,feed,redis,deliveries' },
    write: { type: 'boolean' },
  },
});
const FILE = resolve(import.meta.dirname, 'capacity/costs.json');
const EVENTS = Number(options.events);
const REQUESTS = Number(options.requests);
const CLIENTS = 8;
const ROUNDS = 3;
/**
 * The measurement continues for this many milliseconds after the last response, because the server and PostgreSQL do
 * some work after a response.
 */
const FOLLOW_UP_MS = 1_200;
/** The requests are sent by accounts with consecutive ids: `PEOPLE` accounts, the first with the id `FIRST_PERSON`. */
const PEOPLE = 3 * REQUESTS;
const FIRST_PERSON = 1_001;
const PASSWORD = 'a password of the benchmark';
/**
 * The number of events that people join. It is high, so that each event has few participants, like most real events.
 */
const JOINED_EVENTS = 500;
/** The number of events whose web pages are read. */
const PAGES = 50;
/** The number of warm-up requests, after which a new process runs at its usual speed. */
const WARM_UP = 600;
/** Bytes per row are measured only for tables with at least this many rows. */
const MIN_ROWS = 250;

// A bench database has one account per ten events (`userCountOf` in discover/database.mjs).
if (EVENTS < 10 * (FIRST_PERSON + PEOPLE)) throw new Error(`--events must be at least ${10 * (FIRST_PERSON + PEOPLE)}`);
const parts = { reads, writes, signIns, feed, redis, deliveries };
const names = options.only.split(',');
const unknown = names.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0)
  throw new Error(`--only: there is no part "${unknown.join('", "')}"; the parts are ${Object.keys(parts).join(', ')}`);
const folder = mkdtempSync(join(tmpdir(), 'events-bench-'));
const databases = await openBenchDatabases();
const { url, drop } = await copyOf(databases, EVENTS, 'bench_costs');
const client = new pg.Client({ connectionString: url });
const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS });
const stops = [];
const costs = {};
try {
  await client.connect();
  // After a checkpoint, the first change of each database page writes the whole page (a page image) to the write-ahead
  // log. Page images are switched off here, so the figures of operations do not contain them. Page images are
  // measured only once, as `join_after_checkpoint`, and capacity/model.mjs adds a share of their bytes to each write.
  await client.query('ALTER SYSTEM SET full_page_writes = off');
  await client.query('SELECT pg_reload_conf()');
  const bench = await prepare(await postmasterOf(client));
  for (const name of names) await parts[name](bench);
  const bytes = names.includes('writes') && names.includes('deliveries') ? await bytesOfRows() : {};
  console.table(costs);
  console.table(bytes);
  const result = { costs, bytes };
  console.log(JSON.stringify(result));
  if (options.write) store(result);
} finally {
  agent.destroy();
  await client.query('ALTER SYSTEM RESET full_page_writes').catch(() => undefined);
  await client.query('SELECT pg_reload_conf()').catch(() => undefined);
  await client.end();
  for (const stop of stops.reverse()) await stop();
  await drop();
  await databases.release();
  rmSync(folder, { recursive: true, force: true });
}

async function prepare(postmaster) {
  const tokens = Array.from({ length: PEOPLE }, () => mintSecret());
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  const range = [FIRST_PERSON, FIRST_PERSON + PEOPLE - 1];
  await client.query(
    `INSERT INTO tokens (user_id, name, hash, access, last_used_at, created_at)
     SELECT $2 + n - 1, 'costs', hash, 'write', now() + interval '1 day', now() FROM unnest($1::text[]) WITH ORDINALITY AS t (hash, n)`,
    [hashes, FIRST_PERSON],
  );
  await client.query('UPDATE users SET verified = true WHERE id BETWEEN $1 AND $2', range);
  await client.query(
    `UPDATE users SET email = 'p' || id || '@example.org', password_hash = $3 WHERE id BETWEEN $1 AND $2`,
    [...range, await hashPassword(PASSWORD)],
  );
  await client.query('DELETE FROM participations WHERE user_id BETWEEN $1 AND $2', range);
  const { rows } = await client.query(
    `SELECT e.id::int FROM live_events l JOIN all_events e ON e.id = l.id
      WHERE e.organizer_id <> ${HEAVY_USER_ID} AND e.organizer_id NOT BETWEEN $1 AND $2
        AND e.join_mode = 'open' AND e.max_participants IS NULL
        AND coalesce(e.ticket_price_credits, 0) = 0 AND e.age_min IS NULL AND e.over_at > now() + interval '10 days' ORDER BY e.id LIMIT $3`,
    [...range, JOINED_EVENTS],
  );
  if (rows.length < JOINED_EVENTS) throw new Error(`only ${rows.length} events can be joined`);
  await client.query('VACUUM (ANALYZE)');
  return { postmaster, tokens, joinable: rows.map(({ id }) => id) };
}

async function start(settings) {
  const service = await startService({ ...MEASURED, DATABASE_URL: url, DATA_DIR: join(folder, 'data'), ...settings });
  stops.push(service.stop);
  return service;
}

/** Starts a new server, and sends it requests until it runs at its usual speed. */
async function startWarm(bench, settings = {}) {
  const service = await start(settings);
  await run(service, (n) => ({ path: '/api/v1/discover/events', token: bench.tokens[n % PEOPLE] }), WARM_UP);
  return service;
}

async function reads(bench) {
  const service = await startWarm(bench);
  const { tokens, joinable } = bench;
  const measure = (name, ask, settings) => measureOperation(bench, service, name, ask, settings);
  const person = (n) => tokens[n % PEOPLE];
  const get = (path) => (n) => ({ path: `/api/v1${path}`, token: person(n) });

  await measure('api_discover', get('/discover/events'));
  await measure('api_discover_near', (n) => ({
    path: `/api/v1/discover/events?lat=${(50.08 + (n % 5) * 0.01).toFixed(3)}&lng=14.43&radius_km=10`,
    token: person(n),
  }));
  await measure('api_discover_word', get('/discover/events?q=jezero'));
  await measure('api_event', (n) => ({
    path: `/api/v1/discover/events/${joinable[n % JOINED_EVENTS]}`,
    token: person(n),
  }));
  const { etag } = await once(service, { path: '/api/v1/discover/events', token: tokens[0] });
  await measure('api_not_modified', () => ({
    path: '/api/v1/discover/events',
    token: tokens[0],
    headers: { 'if-none-match': etag },
  }));
  await measure('api_own_events', get('/events?relation=joined'));
  await measure('api_changes', get('/changes'));
  await measure('api_notices', get('/notices'));
  const pages = await pagesOf(bench, service);
  const visitor = { raw: true };
  await measure('page_explore', () => ({ ...visitor, path: '/' }));
  await measure('page_event', (n) => ({ ...visitor, path: pages[n % PAGES] }));
  costs.node_process = { resident_mib: Math.round(residentMiB(service.pid)) };
  await stops.pop()();
}

/** Returns the paths of the events' web pages. */
async function pagesOf({ joinable, tokens }, service) {
  const paths = [];
  for (const id of joinable.slice(0, PAGES)) {
    const { data } = await once(service, { path: `/api/v1/discover/events/${id}`, token: tokens[0] });
    paths.push(new URL(data.url).pathname);
  }
  return paths;
}

async function writes(bench) {
  const service = await startWarm(bench);
  const { tokens, joinable } = bench;
  const measure = (name, ask, settings) => measureOperation(bench, service, name, ask, settings);
  const joinOf = (offset) => (n) => ({
    method: 'POST',
    path: `/api/v1/events/${joinable[n % JOINED_EVENTS]}/join`,
    token: tokens[offset + n],
  });
  await measure('join', joinOf(0));
  await client.query('ALTER SYSTEM SET full_page_writes = on');
  await client.query('SELECT pg_reload_conf()');
  await client.query('CHECKPOINT');
  await measure('join_after_checkpoint', joinOf(2 * REQUESTS), {
    requests: Math.floor(REQUESTS / 2),
    warmUp: 0,
    rounds: 1,
  });
  await client.query('ALTER SYSTEM SET full_page_writes = off');
  await client.query('SELECT pg_reload_conf()');
  await measure('comment', (n) => ({
    method: 'POST',
    path: `/api/v1/events/${joinable[n % JOINED_EVENTS]}/comments`,
    token: tokens[n],
    body: { body: `Přijdu asi o čtvrt hodiny později, potkáme se u vchodu. (${n})` },
  }));
  await measure('api_comments', (n) => ({
    path: `/api/v1/events/${joinable[n % JOINED_EVENTS]}/comments`,
    token: tokens[n % REQUESTS],
  }));
  await measure('leave', (n) => ({
    method: 'DELETE',
    path: `/api/v1/events/${joinable[n % JOINED_EVENTS]}/join`,
    token: tokens[n],
  }));
  const eventIds = [];
  await measure(
    'event_create',
    (n) => ({
      method: 'POST',
      path: '/api/v1/events',
      token: tokens[n],
      body: {
        title: `Piknik ve Stromovce ${n}`,
        description: 'Přijďte, přineste deku a něco k jídlu. '.repeat(12),
        type: 'food',
        starts_at: new Date(Date.now() + (20 + (n % 20)) * 86_400_000).toISOString(),
        latitude: 50.1,
        longitude: 14.42,
        location_name: 'Stromovka',
        is_public: true,
      },
    }),
    { each: (n, { data }) => (eventIds[n] = data.id) },
  );
  await measure('event_patch', (n) => ({
    method: 'PATCH',
    path: `/api/v1/events/${eventIds[n]}`,
    token: tokens[n],
    body: { title: `Piknik v Riegrových sadech ${n}` },
  }));
  await measure('post_create', (n) => ({
    method: 'POST',
    path: '/api/v1/posts',
    token: tokens[n],
    body: {
      title: `Kam o víkendu ${n}`,
      body: `<p>${'Několik tipů na výlety s dětmi. '.repeat(30)}</p>`,
      categories: ['kolo'],
    },
  }));
  await pictures(bench, service, eventIds);
  await stops.pop()();
}

/** Measures uploads of a picture of 12 megapixels with the noise of a camera. */
async function pictures(bench, service, eventIds) {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 };
  const small = await sharp({ create: { width: 1000, height: 750, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer();
  const picture = await sharp(small).resize(4000, 3000, { kernel: 'cubic' }).jpeg({ quality: 80 }).toBuffer();
  const before = await storedBytes();
  const count = 30;
  await measureOperation(
    bench,
    service,
    'picture',
    (n) => {
      const form = new FormData();
      form.append('images[]', new Blob([picture]), 'picture.jpg');
      return { method: 'POST', path: `/api/v1/events/${eventIds[n]}/images`, token: bench.tokens[n], form };
    },
    { requests: count, warmUp: 4, rounds: 2 },
  );
  costs.picture.uploaded_bytes = picture.length;
  costs.picture.stored_bytes = Math.round(((await storedBytes()) - before) / (count + 4));
}

async function storedBytes() {
  return Number((await client.query('SELECT coalesce(sum(bytes), 0) AS bytes FROM media_files')).rows[0].bytes);
}

/** Measures sign-ins with the web form, and then web pages that signed-in people read. */
async function signIns(bench) {
  const service = await startWarm(bench, { TRUST_PROXY: '127.0.0.1' });
  const pages = await pagesOf(bench, service);
  // Sign-ins from one IP address are limited, so each person signs in from a different address.
  const address = (n) => ({ 'x-forwarded-for': `10.0.${Math.floor(n / 200)}.${n % 200}` });
  const cookies = [];
  const cookieOf = (answer) => answer.headers['set-cookie']?.map((line) => line.split(';')[0]).join('; ');
  const forms = [];
  const count = 100;
  for (let n = 0; n < count + 10; n++) {
    const answer = await once(service, { path: '/sign-in', raw: true, headers: address(n) });
    const [, csrf] = /name="_csrf" value="([^"]+)"/.exec(answer.text);
    forms.push({ cookie: cookieOf(answer), csrf });
  }
  await measureOperation(
    bench,
    service,
    'sign_in',
    (n) => ({
      method: 'POST',
      path: '/sign-in',
      raw: true,
      headers: { ...address(n), cookie: forms[n].cookie, 'content-type': 'application/x-www-form-urlencoded' },
      text: new URLSearchParams({
        _csrf: forms[n].csrf,
        email: `p${FIRST_PERSON + n}@example.org`,
        password: PASSWORD,
      }).toString(),
    }),
    { requests: count, warmUp: 10, rounds: 2, each: (n, answer) => (cookies[n] = cookieOf(answer)), status: 303 },
  );
  const signedInVisit = (path) => (n) => ({
    path: path(n),
    raw: true,
    headers: { cookie: cookies[n % count] },
  });
  await measureOperation(
    bench,
    service,
    'page_explore_signed_in',
    signedInVisit(() => '/'),
  );
  await measureOperation(
    bench,
    service,
    'page_event_signed_in',
    signedInVisit((n) => pages[n % PAGES]),
  );
  await stops.pop()();
}

/**
 * Measures the cost of `number_changes()`, which gives the new entries of the feed their numbers. Each call numbers one
 * batch of entries, and the batches have several sizes. All calls run in one database session.
 */
async function feed() {
  const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
  await client.query('SET synchronous_commit = off');
  await client.query('SELECT number_changes()');
  for (const batch of [1, 10, 100, 1_000]) {
    const total = Math.max(2_000, batch * 5);
    let [spent, log] = [0, 0];
    for (let done = 0; done < total; done += batch) {
      await client.query(
        `DO $$ BEGIN FOR i IN 1..${batch} LOOP PERFORM record_change('event', i, 'participant.joined', i, NULL, NULL, i, true); COMMIT; END LOOP; END $$`,
      );
      const [before, walBefore] = [cpuMs(pid), await walPosition()];
      await client.query('SELECT number_changes()');
      spent += cpuMs(pid) - before;
      log += (await walPosition()) - walBefore;
    }
    costs[`feed_entry_batch_${batch}`] = { database_ms: roundTo3(spent / total), wal_bytes: Math.round(log / total) };
  }
}

/** Measures the number of Redis commands for one API request, and the processor time that Redis needs for them. */
async function redis(bench) {
  const server = await startRedis();
  if (!server) return console.error('redis-server is not installed: its figures are omitted');
  const redisClient = new Redis(server.port, '127.0.0.1', { maxRetriesPerRequest: null });
  // The first attempt to connect may fail, because Redis may not listen yet.
  redisClient.on('error', () => undefined);
  try {
    const service = await start({ REDIS_URL: server.url });
    // Redis counts the command INFO itself too, so 1 is subtracted below.
    const commands = async () => Number(/total_commands_processed:(\d+)/.exec(await redisClient.info('stats'))[1]);
    const before = { cpu: cpuMs(server.pid), commands: await commands() };
    const count = 2_000;
    await run(service, (n) => ({ path: '/api/v1/user', token: bench.tokens[n % PEOPLE] }), count);
    costs.redis_request = {
      redis_ms: roundTo3((cpuMs(server.pid) - before.cpu) / count),
      commands: roundTo3(((await commands()) - before.commands - 1) / count),
    };
    await stops.pop()();
  } finally {
    redisClient.disconnect();
    server.stop();
  }
}

/**
 * Measures the cost of notices on a server without jobs, and then the cost of mails and webhook messages on a server
 * with jobs.
 */
async function deliveries(bench) {
  await client.query('UPDATE notifications SET queued_at = now() WHERE queued_at IS NULL');
  // Each cancelled event has this many participants, and each of them gets a notice.
  const participants = Math.min(500, PEOPLE - 10);
  // Each event has a different organizer, because an account can create only a few events per day.
  let organizerIndex = PEOPLE;
  const nextOrganizer = () => bench.tokens[--organizerIndex];
  const service = await start({});
  const measureCancellation = async (name, target, settings) => {
    const organizer = nextOrganizer();
    const { data } = await once(target, {
      method: 'POST',
      path: '/api/v1/events',
      token: organizer,
      body: {
        title: 'Ples',
        description: 'Ples',
        type: 'party',
        starts_at: new Date(Date.now() + 9 * 86_400_000).toISOString(),
      },
    });
    await client.query(
      `INSERT INTO participations (event_id, user_id, status, joined_at, check_in_code, created_at, updated_at)
       SELECT $1, $2 + n, 'confirmed', now(), 'CODE' || n, now(), now() FROM generate_series(0, $3 - 1) n`,
      [await newestEvent(), FIRST_PERSON, participants],
    );
    await client.query('SELECT number_changes()');
    const ask = () => ({
      method: 'PATCH',
      path: `/api/v1/events/${data.id}`,
      token: organizer,
      body: { status: 'cancelled' },
    });
    await measureOperation(bench, target, name, ask, {
      requests: 1,
      warmUp: 0,
      rounds: 1,
      per: participants,
      ...settings,
    });
  };
  const newestEvent = async () => (await client.query('SELECT max(id)::int AS id FROM all_events')).rows[0].id;
  // The first cancellation only warms up the server, so its cost is deleted.
  await measureCancellation('notice_first', service);
  await measureCancellation('notice', service);
  delete costs.notice_first;
  await stops.pop()();

  const sink = await forkHelper('mail-sink.mjs');
  let mails = 0;
  sink.child.on('message', (message) => (mails = message.mails ?? mails));
  await client.query('UPDATE notifications SET queued_at = now() WHERE queued_at IS NULL');
  const serviceWithJobs = await start({
    JOBS: 'on',
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    WEBHOOKS_ALLOW_PRIVATE: 'on',
  });
  await pause(3_000);
  const deadline = Date.now() + 300_000;
  await measureCancellation('mail', serviceWithJobs, {
    waitForEffects: async () => {
      while (mails < participants && Date.now() < deadline) await pause(200);
    },
  });
  sink.child.kill();
  if (mails < participants) throw new Error(`only ${mails} mails arrived`);
  // The measured cost of a mail includes the cost of its notice, which is subtracted here.
  for (const [figure, value] of Object.entries(costs.mail))
    costs.mail[figure] = roundTo3(Math.max(0, value - costs.notice[figure]));

  const receivers = await startReceivers();
  const [hooks, changes] = [50, 20];
  const organizer = nextOrganizer();
  const { data } = await once(serviceWithJobs, {
    method: 'POST',
    path: '/api/v1/events',
    token: organizer,
    body: {
      title: 'Sraz',
      description: 'Sraz',
      type: 'party',
      starts_at: new Date(Date.now() + 9 * 86_400_000).toISOString(),
    },
  });
  const event = await newestEvent();
  for (let n = 0; n < hooks; n++) {
    await client.query(
      `INSERT INTO participations (event_id, user_id, status, joined_at, check_in_code, created_at, updated_at)
       VALUES ($1, $2, 'confirmed', now(), 'CODE' || $2::bigint, now(), now())`,
      [event, FIRST_PERSON + n],
    );
    await once(serviceWithJobs, {
      method: 'POST',
      path: '/api/v1/webhooks',
      token: bench.tokens[n],
      body: { url: `http://127.0.0.1:${receivers.port}/${n}`, types: ['event.updated'] },
    });
  }
  await pause(3_000);
  await measureOperation(
    bench,
    serviceWithJobs,
    'webhook_message',
    (n) => ({ method: 'PATCH', path: `/api/v1/events/${data.id}`, token: organizer, body: { title: `Sraz ${n}` } }),
    {
      requests: changes,
      warmUp: 0,
      rounds: 1,
      clients: 1,
      gap: 200,
      per: hooks,
      waitForEffects: async () => {
        while (receivers.messages.length < hooks * changes && Date.now() < deadline + 120_000) await pause(200);
      },
    },
  );
  receivers.close();
  const arrived = receivers.messages.length;
  if (arrived < hooks * changes) throw new Error(`only ${arrived} messages arrived`);
  await stops.pop()();
}

/**
 * Returns the bytes per row, including the row's index entries, for every table with enough rows. A partitioned table
 * has the rows of all its partitions. PostgreSQL reports its size as 0, so the sizes of its partitions are added up.
 */
async function bytesOfRows() {
  const { rows } = await client.query(
    `SELECT c.oid::regclass::text AS name, sum(pg_total_relation_size(part.id))::bigint AS bytes,
            sum(pg_indexes_size(part.id))::bigint AS indexes
       FROM pg_class c, LATERAL (
         SELECT c.oid AS id WHERE c.relkind = 'r'
         UNION ALL
         SELECT t.relid::oid FROM pg_partition_tree(c.oid) t WHERE t.isleaf) part
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      GROUP BY c.oid ORDER BY 1`,
  );
  const bytesByTable = {};
  for (const { name, bytes, indexes } of rows) {
    const { count } = (await client.query(`SELECT count(*)::int AS count FROM ${name}`)).rows[0];
    if (count < MIN_ROWS) continue;
    bytesByTable[name] = {
      rows: count,
      bytes_a_row: Math.round(Number(bytes) / count),
      index_bytes_a_row: Math.round(Number(indexes) / count),
    };
  }
  return bytesByTable;
}

/**
 * Runs an operation in several rounds and stores its cost. `ask(n)` returns the n-th request, and `each(n, answer)`
 * gets its response. For processor time, the minimum of all rounds is stored, because other programs on the machine can
 * only increase it. For the bytes of write-ahead log, the median is stored (with two rounds, the larger figure). `per`
 * is the number of units (such as notices) that one request causes; the cost is the cost of one unit. `waitForEffects`
 * waits for work that the requests have caused. `gap` is a pause after each response, in milliseconds.
 */
async function measureOperation(bench, service, name, ask, settings = {}) {
  const { requests = REQUESTS, warmUp = REQUESTS / 10, rounds = ROUNDS, per = 1 } = settings;
  const { each, waitForEffects, status, clients, gap } = settings;
  const runSettings = { each, status, clients, gap };
  if (warmUp > 0) {
    const onAnswer = each && ((n, answer) => each(requests + n, answer));
    await run(service, (n) => ask(requests + n), warmUp, { ...runSettings, each: onAnswer });
  }
  await pause(FOLLOW_UP_MS);
  const figures = [];
  const perRound = Math.floor(requests / rounds);
  for (let round = 0; round < rounds; round++) {
    const first = round * perRound;
    const onAnswer = each && ((n, answer) => each(first + n, answer));
    const [walBefore, before] = [await walPosition(), childrenMs(service.pid)];
    const { node, database } = await cpuDuring({ pid: service.pid, postmaster: bench.postmaster }, async () => {
      await run(service, (n) => ask(first + n), perRound, { ...runSettings, each: onAnswer });
      await waitForEffects?.();
      await pause(FOLLOW_UP_MS);
    });
    const units = perRound * per;
    figures.push({
      node_ms: roundTo3((node / 1000 + childrenMs(service.pid) - before) / units),
      database_ms: roundTo3(database / 1000 / units),
      wal_bytes: Math.round(((await walPosition()) - walBefore) / units),
    });
  }
  const least = (figure) => Math.min(...figures.map((one) => one[figure]));
  costs[name] = {
    node_ms: least('node_ms'),
    database_ms: least('database_ms'),
    wal_bytes: median(figures.map((one) => one.wal_bytes)),
  };
  console.error(`${name}: ${JSON.stringify(costs[name])}`);
}

async function run(service, ask, requests, { each, status, clients = CLIENTS, gap = 0 } = {}) {
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < requests) {
        const n = next++;
        const answer = await once(service, { status, ...ask(n) });
        each?.(n, answer);
        if (gap > 0) await pause(gap);
      }
    }),
  );
}

/**
 * Sends one request. Returns the text, the headers and the ETag of the response, and the fields of its JSON body. The
 * body is parsed only if there is a `token` and `raw` is not set.
 */
async function once(service, { method = 'GET', path, token, body, form, text, headers = {}, raw, status }) {
  const sent = form ? new Response(form) : null;
  const payload = sent ? Buffer.from(await sent.arrayBuffer()) : (text ?? (body && JSON.stringify(body)));
  const { hostname, port } = new URL(service.origin);
  const allHeaders = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...(sent && { 'content-type': sent.headers.get('content-type') }),
    ...(method === 'GET' ? {} : { 'content-length': payload === undefined ? 0 : Buffer.byteLength(payload) }),
    ...headers,
  };
  return new Promise((done, failed) => {
    const request = http.request({ agent, hostname, port, method, path, headers: allHeaders }, (response) => {
      let read = '';
      response.setEncoding('utf8').on('error', failed);
      response.on('data', (part) => (read += part));
      response.on('end', () => {
        if (status ? response.statusCode !== status : response.statusCode >= 400)
          return failed(new Error(`${method} ${path}: ${response.statusCode} ${read.slice(0, 200)}`));
        const parsed = !raw && token && read ? JSON.parse(read) : {};
        done({ ...parsed, text: read, headers: response.headers, etag: response.headers.etag });
      });
    });
    request.on('error', failed);
    request.end(payload);
  });
}

/** The total bytes of write-ahead log so far. */
async function walPosition() {
  return Number((await client.query(`SELECT pg_current_wal_insert_lsn() - '0/0' AS place`)).rows[0].place);
}

/**
 * The processor time, in milliseconds, of a process's child processes that have ended, such as decoders of pictures.
 */
function childrenMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function roundTo3(number) {
  return Number(number.toFixed(3));
}

/** Replaces the measured figures in costs.json, and does not change the other figures. */
function store(result) {
  const source = `npm run bench -- costs --events ${EVENTS} --requests ${REQUESTS}, ${new Date().toISOString().slice(0, 10)}`;
  const file = JSON.parse(readFileSync(FILE, 'utf8'));
  file.operations = Object.fromEntries(
    Object.entries({ ...file.operations, ...result.costs }).map(([name, figures]) => [
      name,
      name in result.costs ? { ...figures, source } : figures,
    ]),
  );
  for (const [name, figures] of Object.entries(result.bytes)) file.tables[name] = { ...figures, source };
  writeFileSync(FILE, `${JSON.stringify(file, null, 2)}\n`);
}
