// Two servers assign the order of changes, and are killed alternately (kill -9). All readers must see the same order.
// 24 people write while other transactions stay open and a long import runs. During the writes, readers receive the
// feed of changes in pages, by waiting requests, by a stream and by a webhook. After the writes, the feed is read again
// in pages from both servers. All readers must get the same entries in the same order.
//   npm run rehearse -- order [--times 20] [--break]
import { Agent, createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { client } from './lib/follower.mjs';
import { cli, environment, openDatabase, populate, sql, startServer } from './lib/installation.mjs';
import { ask } from './lib/load.mjs';
import { atEnd, folder, freePort, options, rehearse, until } from './lib/programs.mjs';

const { times: KILLS, isBroken } = options(
  'order',
  { times: 20 },
  'one entry that readers have received is deleted from the feed',
);
const WRITERS = 24;
/** The number of events that the writers join and comment on. The person who reads the feed organizes these events. */
const EVENTS = 60;
/** The number of events that the import creates. */
const IMPORTED = 300;
/** How many long transactions run at the same time. */
const PARALLEL_TRANSACTIONS = 3;
const WRITE_TIMEOUT_MS = 30_000;
/**
 * Milliseconds. If the webhook receives no new message for this time after the writes, it has received everything. A
 * server reserves the webhook while it sends messages. If this server is killed, its reservation ends within this time.
 */
const WEBHOOK_QUIET_MS = 60_000;
const AGENT = new Agent({ keepAlive: true });
/**
 * The types of subjects whose entries are compared. Entries about other subjects can be hidden or merged later, so a
 * later reader would not get all of them.
 */
const COMPARED = ['comment', 'participant', 'event'];

await rehearse('order', { maxMinutes: 15 }, async () => {
  const url = await openDatabase();
  const env = environment(url, folder('data'), { WEBHOOKS_ALLOW_PRIVATE: 'on' });
  const people = await populate(env, { count: WRITERS + 1 });
  const [reader, ...writers] = people.tokens;
  const events = (await importEvents(env, people.slugs[0], 'prepared', EVENTS)).map(({ id }) => id);
  const ports = [await freePort(), await freePort()];
  const servers = await Promise.all(ports.map((port) => startServer(env, port)));
  const origins = servers.map(({ origin }) => origin);
  const webhook = await openWebhook(origins[0], reader);
  const {
    meta: { cursor: start },
  } = await client(origins, reader)('/changes');

  let [isWriting, areWritesOver] = [true, false];
  const isOver = () => areWritesOver;
  const readers = {
    'pages of 7': readPages(origins, reader, start, 'limit=7', isOver),
    'pages of 100 on the other server': readPages(origins.toReversed(), reader, start, 'limit=100', isOver),
    'waiting requests': readPages(origins, reader, start, 'limit=20&wait=2', isOver),
    stream: readStream(origins, reader, start, isOver),
    webhook: webhook.entries(isOver),
  };
  const count = { writes: 0, transactions: 0, imported: 0, killed: 0 };
  const work = [
    ...writers.map(async (token, n) => {
      for (let turn = 0; isWriting; turn++)
        if (await write(origins[(n + turn) % 2], token, events, n, turn)) count.writes++;
    }),
    ...Array.from({ length: PARALLEL_TRANSACTIONS }, async () => {
      while (isWriting) {
        await commentSlowly(url);
        count.transactions++;
      }
    }),
    importEvents(env, people.slugs[0], 'imported', IMPORTED).then((made) => (count.imported = made.length)),
  ];
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(500 + Math.random() * 1_000);
    await servers[kill % 2].stop('SIGKILL');
    count.killed++;
    await pause(200);
    servers[kill % 2] = await startServer(env, ports[kill % 2]);
  }
  await until('the import', () => count.imported > 0);
  isWriting = false;
  await Promise.all(work);
  areWritesOver = true;
  const received = {};
  for (const [name, entries] of Object.entries(readers)) received[name] = await entries;
  if (isBroken)
    await sql(
      url,
      'DELETE FROM changes WHERE id = (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM changes)',
    );
  for (const [n, origin] of origins.entries())
    received[`pages from server ${n} afterwards`] = await readPages([origin], reader, start, 'limit=50', () => true);

  const [expected] = Object.values(received);
  const unequal = Object.keys(received).filter((name) => received[name].join() !== expected.join());
  for (const name of unequal) {
    const [expectedEntries, receivedEntries] = [new Set(expected), new Set(received[name])];
    console.error(`${name}: without`, expected.filter((entry) => !receivedEntries.has(entry)).slice(0, 5));
    console.error(`${name}: in addition`, received[name].filter((entry) => !expectedEntries.has(entry)).slice(0, 5));
  }
  const repeated = expected.length - new Set(expected).size;
  const [{ comments }] = await sql(url, 'SELECT count(*)::int AS comments FROM comments');
  const missing = comments - expected.filter((entry) => entry.startsWith('comment.created')).length;
  return {
    passed:
      unequal.length === 0 &&
      repeated === 0 &&
      missing === 0 &&
      count.imported === IMPORTED &&
      count.writes > KILLS * 20,
    ...count,
    readers: Object.keys(received).length,
    entries: expected.length,
    unequal,
    repeated,
    comments,
    missing,
  };
});

async function importEvents(env, organizer, name, count) {
  const events = Array.from({ length: count }, (_, i) => ({
    key: `${name}-${i}`,
    organizer,
    title: `Piknik ${name} ${i}`,
    starts_at: new Date(Date.now() + (30 + i) * 86_400_000).toISOString(),
  }));
  return (await cli(env, ['apply', '-'], { stdin: JSON.stringify({ events }) })).events;
}

/**
 * Sends one write, and returns whether the response confirmed it. A person joins the events one after another. Only
 * every twentieth request is a comment, because a person may write only ten comments per minute. After 2 * EVENTS
 * requests of a person, all further requests of this person are comments.
 */
async function write(origin, token, events, n, turn) {
  const isComment = turn % 20 === 0 || turn >= events.length * 2;
  // An event keeps only its newest 100 threads of comments, so the comments are spread over all events.
  const event = events[isComment ? Math.floor(Math.random() * events.length) : (n * 7 + turn) % events.length];
  const [path, body] = isComment ? ['comments', { body: `Ahoj ${turn}` }] : ['join', {}];
  const { status } = await ask(AGENT, `${origin}/api/v1/events/${event}/${path}`, {
    method: 'POST',
    token,
    body,
    within: WRITE_TIMEOUT_MS,
  });
  await pause(status === 0 ? 300 : 100);
  return status >= 200 && status < 300;
}

/** Writes two comments in one transaction that is open for some seconds. */
async function commentSlowly(url) {
  // In the order of ids, `all_events` begins with one event of each person, and then has the reader's EVENTS events.
  const offset = WRITERS + 1 + Math.floor(Math.random() * EVENTS);
  const comment = `INSERT INTO comments (event_id, author_id, body, created_at)
    SELECT (SELECT id FROM all_events ORDER BY id LIMIT 1 OFFSET ${offset}), (SELECT min(id) FROM users), 'Pomalu', now()`;
  const seconds = 0.5 + Math.random() * 3;
  await sql(url, `BEGIN; ${comment}; SELECT pg_sleep(${seconds}); ${comment}; COMMIT`);
}

/** Creates a webhook of the reader. `entries` resolves to the webhook's entries in the order of their first arrival. */
async function openWebhook(origin, token) {
  const messages = new Map();
  let quietSince = performance.now();
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => []));
    if (!request.complete) return;
    const id = request.headers['webhook-id'];
    if (!messages.has(id)) {
      messages.set(id, JSON.parse(body).data);
      quietSince = performance.now();
    }
    response.end();
  });
  await new Promise((done) => receiver.listen(0, '127.0.0.1', done));
  atEnd(() => receiver.closeAllConnections());
  atEnd(() => receiver.close());
  const { status } = await ask(AGENT, `${origin}/api/v1/webhooks`, {
    method: 'POST',
    token,
    body: { url: `http://127.0.0.1:${receiver.address().port}/` },
    within: WRITE_TIMEOUT_MS,
  });
  if (status !== 201) throw new Error(`the webhook was not created: ${status}`);
  const entries = async (isOver) => {
    while (!isOver() || performance.now() - quietSince < WEBHOOK_QUIET_MS) await pause(100);
    return [...messages.values()].filter(isCompared).map(summary);
  };
  return { entries };
}

/** The fields of an entry that must be equal for all readers, as one text. */
function summary({ id, cursor, at, type, subject }) {
  return `${type} ${subject.type} ${subject.id} ${id} ${cursor} ${at}`;
}

function isCompared({ subject }) {
  return COMPARED.includes(subject.type);
}

/** Reads pages. Ends at the first empty page that was requested after the end of the writes. */
async function readPages(origins, token, start, query, isOver) {
  const get = client(origins, token);
  const entries = [];
  for (let [cursor, isLast] = [start, false]; !isLast;) {
    const wasOver = isOver();
    const { data, meta } = await get(`/changes?cursor=${cursor}&${query}`);
    entries.push(...data.filter(isCompared).map(summary));
    cursor = meta.cursor;
    isLast = wasOver && !meta.has_more && data.length === 0;
    if (data.length === 0 && !isLast) await pause(20);
  }
  return entries;
}

/** Reads the stream. If a server is killed, reads from the other server the entries after the last received entry. */
async function readStream(origins, token, start, isOver) {
  const entries = [];
  let cursor = start;
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${origins[attempt % 2]}/api/v1/changes?cursor=${cursor}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    }).catch(() => null);
    if (answer?.status !== 200) {
      await pause(100);
      continue;
    }
    let rest = '';
    let quietSince = performance.now();
    const body = answer.body.getReader();
    let next = body.read();
    for (;;) {
      const part = await Promise.race([next, pause(500)]).catch(() => ({ done: true }));
      // If no entry arrives for some seconds after the writes, the stream has delivered everything.
      if (!part && isOver() && performance.now() - quietSince > 5_000) {
        await body.cancel().catch(() => undefined);
        return entries;
      }
      if (!part) continue;
      if (part.done) break;
      next = body.read();
      next.catch(() => undefined);
      const lines = (rest + Buffer.from(part.value).toString()).split('\n');
      rest = lines.pop();
      for (const line of lines.filter((one) => one.startsWith('data: '))) {
        const entry = JSON.parse(line.slice(6));
        cursor = entry.cursor;
        quietSince = performance.now();
        if (isCompared(entry)) entries.push(summary(entry));
      }
    }
  }
}
