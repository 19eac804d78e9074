// Benchmark of the feed of changes. ONLY=lag,cost runs only the parts `lag` and `cost`. By default, all parts run:
//   lag       the time from the response to a write until the streams receive the entry about this write
//   cost      how much more a write costs because it adds an entry to the feed of changes
//   idle      the memory of thousands of open streams
//   fan       many streams that receive the changes of one event
//   webhooks  many webhooks that receive the changes of one event
//   cancel    the time to cancel an event with 10,000 participants
//   objects   the processor time of pages of the feed that include the changed objects
// On a busy machine, ratios of processor time remain meaningful, but wall-clock times and memory do not.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { percentile } from './lib/load.mjs';
import { seedPeopleAndEvents } from './lib/seed.mjs';
import {
  cpuDuring,
  cpuMicroseconds,
  median,
  postmasterOf,
  residentMiB,
  startReceivers,
  startService,
  verdict,
} from './lib/service.mjs';

const require = createRequire(import.meta.url);
const { openEmbeddedPostgres } = require('../dist/libs/platform/database/embedded/embedded-postgres.js');
const { mintSecret } = require('../dist/libs/areas/identity/token-secret.policy.js');

const ONLY = (process.env.ONLY ?? 'lag,cost,idle,fan,webhooks,cancel,objects').split(',');
const PEOPLE = 12_000;
const EVENTS = 2_000;
const SECRET = 'secret of the benchmark, and of nothing else';
const GOALS = { lag_p99_ms: 300, cost: 1.1, idle_mib: 400, cancel: 2, objects_cpu_ms: 200 };

const folder = mkdtempSync(join(tmpdir(), 'events-bench-'));
const database = await openEmbeddedPostgres({ folder: join(folder, 'postgres') });
const client = new pg.Client({ connectionString: database.url });
const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
let service;
try {
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    APP_SECRET: SECRET,
    JOBS: 'off',
    RATE_LIMIT_TOKEN_PER_MINUTE: '1000000000',
    RATE_LIMIT_IP_PER_MINUTE: '1000000000',
  };
  const start = (more = {}) => startService({ ...env, ...more });
  service = await start();
  await client.connect();
  const postmaster = await postmasterOf(client);
  const tokens = await seedPeopleAndEvents(client, PEOPLE, EVENTS);
  // The seed makes Jana the organizer of all events. Jana keeps only the last forty, and Eva becomes the organizer of
  // the other events, because no real person organizes thousands of events.
  await client.query(`INSERT INTO users (slug, name, created_at, updated_at) VALUES ('eva', 'Eva', now(), now())`);
  await client.query(
    `UPDATE all_events SET organizer_id = (SELECT id FROM users WHERE slug = 'eva') WHERE id <= (SELECT max(id) FROM all_events) - 40`,
  );
  const jana = await organizersToken();
  const {
    rows: [{ first_event: firstEvent }],
  } = await client.query('SELECT min(id)::int AS first_event FROM events');
  const bench = { tokens, jana, firstEvent, postmaster, nextJoiner: 0 };
  const parts = { lag, cost, idle, fan, webhooks, cancel, objects };
  const settingsByPart = { webhooks: { JOBS: 'on', WEBHOOKS_ALLOW_PRIVATE: 'on' } };
  const result = {};
  for (const name of ONLY) {
    // A new process of the service is started for each part.
    await service.stop();
    service = await start(settingsByPart[name]);
    result[name] = await parts[name](bench);
    console.table({ [name]: result[name] });
  }
  console.log(JSON.stringify(result));
} finally {
  agent.destroy();
  await client.end().catch(() => undefined);
  await service?.stop();
  await database.release();
  rmSync(folder, { recursive: true, force: true });
}

async function organizersToken() {
  const secret = mintSecret();
  await client.query(
    `INSERT INTO tokens (user_id, name, hash, access, last_used_at, created_at) SELECT id, 'bench', $1, 'write', now() + interval '1 day', now() FROM users WHERE slug = 'jana'`,
    [createHash('sha256').update(secret).digest('hex')],
  );
  await client.query(`UPDATE users SET verified = true WHERE slug = 'jana'`);
  return secret;
}

/**
 * People join ten events, with 200 requests per second for 20 seconds. The organizer of these events has three open
 * streams.
 */
async function lag(bench) {
  const [perSecond, seconds] = [200, 20];
  const streams = await openStreams([bench.jana], 3);
  const answered = new Map();
  await callAtRate(perSecond, seconds, async () => {
    const n = bench.nextJoiner++;
    await ask('POST', `/api/v1/events/${bench.firstEvent + EVENTS - 20 + (n % 10)}/join`, bench.tokens[n]);
    answered.set(n, performance.timeOrigin + performance.now());
  });
  const expected = answered.size * 3;
  const entries = await streams.entries((all) => all.length >= expected);
  const arrivalBySubject = new Map(entries.map(([, at, subject]) => [subject, at]));
  streams.close();
  const lags = [...arrivalBySubject]
    .map(([subject, at]) => at - (answered.get(Number(/^p(\d+) /.exec(subject)?.[1]) - 1) ?? NaN))
    .filter((ms) => !Number.isNaN(ms))
    .map((ms) => Math.max(0, ms))
    .sort((a, b) => a - b);
  const p99 = Math.round(percentile(lags, 0.99));
  return {
    writes: answered.size,
    entries: entries.length,
    missed: expected - entries.length,
    p50_ms: Math.round(percentile(lags, 0.5)),
    p99_ms: p99,
    max_ms: Math.round(lags.at(-1)),
    goal: verdict(p99 < GOALS.lag_p99_ms && expected === entries.length),
  };
}

/**
 * Measures the processor time that a request to join an event needs in the service and in the database. Compares this
 * time with the time of the same request without the triggers that write the feed.
 */
async function cost(bench) {
  // Processor time is counted in hundredths of a second, so a precise result needs this many requests.
  const [rounds, requests] = [12, 400];
  // A new entry waits in `unnumbered_changes` until a server gives it its number, a moment after the response.
  const countChanges = async () =>
    (
      await client.query(
        'SELECT ((SELECT count(*) FROM changes) + (SELECT count(*) FROM unnumbered_changes))::int AS total',
      )
    ).rows[0].total;
  // The first requests of a process are slow, so they are not measured.
  await sendJoins(bench, 1_500);
  const sums = { with: { node: 0, database: 0 }, without: { node: 0, database: 0 } };
  for (let round = 0; round < rounds; round++) {
    for (const variant of round % 2 ? ['with', 'without'] : ['without', 'with']) {
      await setFeedTriggers(variant === 'with');
      // After triggers are enabled or disabled, every database session plans its statements again. The requests that
      // cause this planning are not measured.
      await sendJoins(bench, 100);
      const countBefore = await countChanges();
      const { node, database } = await cpuDuring(processes(bench), () => sendJoins(bench, requests));
      const added = (await countChanges()) - countBefore;
      if (added !== (variant === 'with' ? requests : 0))
        throw new Error(`${requests} requests ${variant} triggers added ${added} entries to the feed`);
      sums[variant].node += node;
      sums[variant].database += database;
    }
  }
  await setFeedTriggers(true);
  const msPerRequest = (microseconds) => Number((microseconds / 1000 / rounds / requests).toFixed(3));
  const ratio = Number(
    ((sums.with.node + sums.with.database) / (sums.without.node + sums.without.database)).toFixed(3),
  );
  return {
    joins: rounds * requests,
    with_node_ms: msPerRequest(sums.with.node),
    with_database_ms: msPerRequest(sums.with.database),
    without_node_ms: msPerRequest(sums.without.node),
    without_database_ms: msPerRequest(sums.without.database),
    ratio,
    goal: verdict(ratio <= GOALS.cost),
  };
}

/**
 * Measures the memory and the processor time of the server while 5,000 streams are open for 32 seconds. There are no
 * changes in this time, but the server sends heartbeats on each stream.
 */
async function idle({ tokens }) {
  const streams = 5_000;
  const before = residentMiB(service.pid);
  const since = performance.now();
  const followers = await openStreams(tokens.slice(0, streams), 1);
  const opened = Math.round(performance.now() - since);
  const cpu = cpuMicroseconds(service.pid);
  const samples = [];
  for (let second = 0; second < 32; second++) {
    await pause(1_000);
    samples.push(residentMiB(service.pid));
  }
  const busy = (cpuMicroseconds(service.pid) - cpu) / 32_000_000;
  followers.close();
  const mib = Math.round(Math.max(...samples));
  return {
    streams: followers.open,
    refused: followers.refused,
    opened_in_ms: opened,
    before_mib: Math.round(before),
    mib,
    cores_busy: Number(busy.toFixed(2)),
    goal: verdict(mib < GOALS.idle_mib && followers.open === streams),
  };
}

/** 100 participants have an open stream each. 10 changes per second for 10 seconds cause 1,000 entries per second. */
async function fan(bench) {
  const [people, perSecond, seconds] = [100, 10, 10];
  const event = bench.firstEvent + EVENTS - 1;
  await addParticipants(event, people);
  const streams = await openStreams(bench.tokens.slice(0, people), 1);
  const cpu = cpuMicroseconds(service.pid);
  const path = `/api/v1/events/${event}`;
  let n = 0;
  const written = await callAtRate(perSecond, seconds, () =>
    ask('PATCH', path, bench.jana, { title: `Piknik ${n++}` }),
  );
  const expected = written * people;
  const entries = await streams.entries((all) => all.length >= expected);
  const busy = (cpuMicroseconds(service.pid) - cpu) / 1e6 / seconds;
  streams.close();
  return {
    streams: people,
    changes: written,
    entries: entries.length,
    per_second: Math.round(entries.length / seconds),
    cores_busy: Number(busy.toFixed(2)),
    goal: verdict(entries.length === expected),
  };
}

/**
 * 100 participants have a webhook each. 10 changes per second for 10 seconds cause 1,000 messages per second. After the
 * last change, waits at most 30 seconds for the messages, and measures the delay of the last message.
 */
async function webhooks(bench) {
  const [people, perSecond, seconds, timeoutSeconds] = [100, 10, 10, 30];
  const event = bench.firstEvent + EVENTS - 2;
  await addParticipants(event, people);
  const receivers = await startReceivers();
  for (const [n, token] of bench.tokens.slice(0, people).entries())
    await ask('POST', '/api/v1/webhooks', token, {
      url: `http://127.0.0.1:${receivers.port}/${n}`,
      types: ['event.updated'],
    });
  // After a webhook is created, the service checks once whether there are messages to send. This check is not measured.
  await pause(3_000);
  const cpu = cpuMicroseconds(service.pid);
  const begin = performance.timeOrigin + performance.now();
  let n = 0;
  const written = await callAtRate(perSecond, seconds, () =>
    ask('PATCH', `/api/v1/events/${event}`, bench.jana, { title: `Piknik ${n++}` }),
  );
  const end = performance.timeOrigin + performance.now();
  const expected = written * people;
  while (
    receivers.messages.length < expected &&
    performance.timeOrigin + performance.now() < end + timeoutSeconds * 1000
  )
    await pause(100);
  const busy = (cpuMicroseconds(service.pid) - cpu) / 1e6;
  receivers.close();
  const { messages } = receivers;
  const lastArrival = Math.max(...messages.map(([, , , at]) => at));
  const sent = new Map();
  let broken = 0;
  for (const [path, previous, cursor] of messages) {
    // Each message contains the cursor of the previous message. A lost, repeated or reordered message breaks this
    // chain.
    if (previous !== (sent.get(path) ?? null)) broken++;
    sent.set(path, cursor);
  }
  return {
    webhooks: people,
    changes: written,
    messages: messages.length,
    chains_broken: broken,
    written_in_ms: Math.round(end - begin),
    drained_after_ms: Math.round(lastArrival - end),
    per_second: Math.round(messages.length / ((lastArrival - begin) / 1000)),
    cores_busy: Number((busy / ((lastArrival - begin) / 1000)).toFixed(2)),
    goal: verdict(messages.length === expected && broken === 0),
  };
}

/**
 * Cancels events with and without the triggers that write the feed of changes. Then every tenth of the 10,000
 * participants reads the entry about the last cancellation.
 */
async function cancel(bench) {
  const [people, rounds] = [10_000, 3];
  const times = { with: [], without: [] };
  let event = bench.firstEvent + EVENTS - 10;
  let lastCursor;
  for (let round = 0; round < rounds; round++) {
    for (const variant of ['without', 'with']) {
      await setFeedTriggers(false);
      await addParticipants(++event, people);
      await client.query('ANALYZE participations');
      await setFeedTriggers(variant === 'with');
      const {
        meta: { cursor },
      } = await ask('GET', '/api/v1/changes', bench.jana);
      const since = performance.now();
      await ask('PATCH', `/api/v1/events/${event}`, bench.jana, { status: 'cancelled' });
      times[variant].push(performance.now() - since);
      if (variant === 'with') lastCursor = cursor;
    }
  }
  let received = 0;
  const readers = 1_000;
  for (let n = 0; n < readers; n++) {
    // The cursor comes from Jana's feed, but a cursor is valid for every account.
    const { data } = await ask(
      'GET',
      `/api/v1/changes?cursor=${lastCursor}`,
      bench.tokens[Math.floor((n * people) / readers)],
    );
    if (data.filter(({ type }) => type === 'event.cancelled').length === 1) received++;
  }
  const [withTriggers, withoutTriggers] = [Math.round(median(times.with)), Math.round(median(times.without))];
  const ratio = Number((withTriggers / withoutTriggers).toFixed(2));
  return {
    participants: people,
    with_ms: withTriggers,
    without_ms: withoutTriggers,
    ratio,
    readers,
    received,
    goal: verdict(ratio <= GOALS.cancel && received === readers),
  };
}

/**
 * Measures a page of the organizer's feed with 100 changes and their objects: 40 people who joined, 40 comments and 20
 * changed events. Also measures the same page without objects.
 */
async function objects(bench) {
  const pages = 40;
  // `lag`, `fan`, `webhooks` and `cancel` use the last twenty events.
  const events = Array.from({ length: 20 }, (_, n) => bench.firstEvent + EVENTS - 40 + n);
  const {
    meta: { cursor },
  } = await ask('GET', '/api/v1/changes', bench.jana);
  for (let n = 0; n < 40; n++) {
    const path = `/api/v1/events/${events[n % 20]}`;
    await ask('POST', `${path}/join`, bench.tokens[PEOPLE - 1 - n]);
    await ask('POST', `${path}/comments`, bench.tokens[PEOPLE - 1 - n], { body: 'Kde se sejdeme? '.repeat(20) });
    if (n < 20) await ask('PATCH', path, bench.jana, { title: `Piknik s lidmi ${n}` });
  }
  // The same writes also add entries about notices to the feed. These entries are not measured here.
  const types = 'participant.joined,comment.created,event.updated';
  const path = `/api/v1/changes?cursor=${cursor}&limit=100&types=${types}`;
  const perPage = {};
  for (const [name, query] of Object.entries({ plain: '', objects: '&include=subject' })) {
    for (let n = 0; n < 5; n++) await ask('GET', path + query, bench.jana);
    const {
      result: read,
      node,
      database,
    } = await cpuDuring(processes(bench), async () => {
      let last;
      for (let n = 0; n < pages; n++) last = await ask('GET', path + query, bench.jana);
      return last;
    });
    const withObjects = read.data.filter(({ object }) => object);
    if (read.data.length !== 100 || withObjects.length !== (query ? 100 : 0))
      throw new Error(`${read.data.length} entries, ${withObjects.length} with an object`);
    perPage[name] = {
      node: node / 1000 / pages,
      database: database / 1000 / pages,
      bytes: JSON.stringify(read).length,
    };
  }
  const ms = perPage.objects.node + perPage.objects.database;
  return {
    entries: 100,
    bytes: perPage.objects.bytes,
    node_ms: Number(perPage.objects.node.toFixed(1)),
    database_ms: Number(perPage.objects.database.toFixed(1)),
    plain_ms: Number((perPage.plain.node + perPage.plain.database).toFixed(1)),
    goal: verdict(ms <= GOALS.objects_cpu_ms),
  };
}

/** The processes whose processor time is measured. Each part of the benchmark starts a new process of the service. */
function processes({ postmaster }) {
  return { pid: service.pid, postmaster };
}

/** Enables or disables the triggers that write the feed of changes. */
async function setFeedTriggers(areEnabled) {
  const { rows } = await client.query(
    `SELECT tgrelid::regclass AS of, tgname AS name FROM pg_trigger WHERE tgname LIKE 'changes\\_are\\_recorded%' AND tgparentid = 0`,
  );
  for (const { of, name } of rows)
    await client.query(`ALTER TABLE ${of} ${areEnabled ? 'ENABLE' : 'DISABLE'} TRIGGER ${name}`);
}

/** Makes the first `count` people participants of the event, directly in the database. */
async function addParticipants(event, count) {
  await client.query(
    `INSERT INTO participations (event_id, user_id, status, joined_at, check_in_code, created_at, updated_at)
     SELECT $1, u.id, 'confirmed', now(), 'CODE' || u.id, now(), now() FROM users u WHERE u.slug ~ '^p\\d+$' AND substr(u.slug, 2)::int <= $2`,
    [event, count],
  );
  await client.query(
    'UPDATE all_events SET confirmed_count = (SELECT count(*) FROM participations WHERE event_id = $1) WHERE id = $1',
    [event],
  );
}

/** Sends the n-th request to join an event. No person joins the same event twice. */
function joinNth({ tokens, firstEvent }, n) {
  const event = firstEvent + ((n + Math.floor(n / PEOPLE)) % 500);
  return ask('POST', `/api/v1/events/${event}/join`, tokens[n % PEOPLE]);
}

async function sendJoins(bench, count) {
  let remaining = count;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (remaining-- > 0) await joinNth(bench, bench.nextJoiner++);
    }),
  );
}

/** Calls `work` at this rate, and waits until all calls have finished. Returns the number of calls. */
async function callAtRate(perSecond, seconds, work) {
  const since = performance.now();
  const pending = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = since + (n * 1000) / perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    pending.push(work());
  }
  await Promise.all(pending);
  return pending.length;
}

/**
 * Opens `perToken` streams of the feed for each token, in a separate process. Returns {open, refused,
 * entries(isEnough), close()}.
 */
async function openStreams(tokens, perToken) {
  const child = fork(join(import.meta.dirname, 'lib/streams.mjs'));
  const all = [];
  const count = await new Promise((done, failed) => {
    child.on('message', (message) => ('entries' in message ? all.push(...message.entries) : done(message)));
    child.on('exit', () => failed(new Error('the process that reads the streams has ended')));
    child.send({ origin: service.origin, tokens, perToken });
  });
  return {
    ...count,
    /** Returns all entries as soon as `isEnough` accepts them, or two seconds after the last entry. */
    entries: async (isEnough) => {
      let [lastCount, checksWithoutEntry, isDone] = [-1, 0, false];
      while (!isDone) {
        checksWithoutEntry = all.length === lastCount ? checksWithoutEntry + 1 : 0;
        lastCount = all.length;
        isDone = isEnough(all) || checksWithoutEntry >= 20;
        await pause(100);
      }
      return all;
    },
    close: () => child.kill(),
  };
}

function ask(method, path, token, body) {
  const { hostname, port } = new URL(service.origin);
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((done, failed) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(payload === undefined
        ? { 'content-length': 0 }
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    };
    const request = http.request({ agent, hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('error', failed);
      response.on('data', (part) => (text += part));
      response.on('end', () =>
        response.statusCode < 300
          ? done(text && JSON.parse(text))
          : failed(new Error(`${method} ${path}: ${response.statusCode} ${text}`)),
      );
    });
    request.on('error', failed);
    request.end(payload);
  });
}
