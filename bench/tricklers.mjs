// What senders that are slow, silent or broken cost the others: uploads of somebody else are timed alone, and again while four bodies of
// one account trickle in (1 byte every 5 seconds) and 400 connections say nothing, half a request, or what is no HTTP at all.
// Afterwards: how soon the server has let go of their file handles. `npm run bench -- tricklers [SECONDS]`, 120 unless told.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { apply, IN_A_MONTH, median, startService } from './lib/service.mjs';

const SECONDS = Number(process.argv[2] ?? 120);
const TRICKLERS = 4;
const CONNECTIONS = 400;
const UPLOADS_ALONE = 15;
const GOAL = { times: 2, secondsUntilHandlesAreBack: 10 };
const BROKEN = [
  '',
  'GET /api/v1/user HTTP/1.1\r\nhost: x\r\n',
  'no HTTP at all\r\n\r\n',
  'POST /api/v1/events HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{',
];

const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
const env = { DATA_DIR: dataDir, RATE_LIMIT_TOKEN_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' };
const service = await startService(env);
const handles = () => readdirSync(`/proc/${service.pid}/fd`).length;
const port = Number(new URL(service.origin).port);

/** Opens a connection that stays half-open when the server ends its side, as those of broken clients do. */
function open(first) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined).resume();
  if (first) socket.write(first);
  return socket;
}

/** One body that trickles in; restarted whenever the server has ended it. */
async function trickle(path, token, until) {
  let ended = 0;
  while (performance.now() < until) {
    const socket = open(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 5000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="images[]"; filename="a.jpg"\r\n\r\n`,
    );
    let over = false;
    socket.on('close', () => (over = true)).on('end', () => (over = true));
    while (!over && performance.now() < until) {
      await pause(Math.min(5000, Math.max(1, until - performance.now())));
      if (!over) socket.write('x');
    }
    if (over) ended++;
    socket.destroy();
  }
  return ended;
}

/** A connection that is of no use, and another one whenever the server has ended it: it stays half-open for 3 seconds before. */
async function bother(first, until, last) {
  let ended = 0;
  while (performance.now() < until) {
    const socket = open(first);
    const over = new Promise((done) => socket.on('end', () => done(true)).on('close', () => done(true)));
    if (!(await Promise.race([over, pause(until - performance.now(), false, { ref: false })]))) {
      last.push(socket);
      break;
    }
    ended++;
    await pause(3000, undefined, { ref: false });
    socket.destroy();
  }
  return ended;
}

try {
  const [slow, other] = ['slow', 'other'];
  const person = (slug) => ({ slug, name: slug, verified: true, tokens: [{ name: 'bench', access: 'write' }] });
  const event = (organizer) => ({ key: organizer, organizer, title: 'Party', starts_at: IN_A_MONTH });
  const made = await apply({ users: [person(slow), person(other)], events: [event(slow), event(other)] }, env);
  const tokens = made.users.map(({ tokens: [{ token }] }) => token);
  const paths = made.events.map(({ id }) => `/api/v1/events/${id}/images`);
  const photo = await sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: '#467',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .jpeg()
    .toBuffer();
  const statuses = new Map();

  /** Milliseconds of one upload; the picture is deleted again because of the limit per event. */
  const upload = async () => {
    const form = new FormData();
    form.append('images[]', new Blob([photo]), 'a.jpg');
    const authorization = `Bearer ${tokens[1]}`;
    const since = performance.now();
    const answer = await fetch(service.origin + paths[1], { method: 'POST', headers: { authorization }, body: form });
    const { data } = await answer.json();
    const took = performance.now() - since;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const id = [data].flat().at(-1)?.id;
    if (answer.status === 201)
      await fetch(`${service.origin}${paths[1]}/${id}`, { method: 'DELETE', headers: { authorization } });
    return took;
  };

  for (let i = 0; i < 5; i++) await upload();
  // Otherwise the connections of the pool that open meanwhile would count as handles not given back.
  await Promise.all(
    Array.from({ length: 60 }, () =>
      fetch(`${service.origin}/api/v1/discover/events`, { headers: { authorization: `Bearer ${tokens[1]}` } }).then(
        (answer) => answer.text(),
      ),
    ),
  );
  await pause(6000); // until the client has closed them
  const alone = [];
  for (let i = 0; i < UPLOADS_ALONE; i++) alone.push(await upload());
  const handlesBefore = handles();

  const until = performance.now() + SECONDS * 1000;
  const tricklers = Array.from({ length: TRICKLERS }, () => trickle(paths[0], tokens[0], until));
  const last = [];
  const silent = Array.from({ length: CONNECTIONS }, (_, i) => bother(BROKEN[i % BROKEN.length], until, last));
  await pause(1000);
  let most = handles();
  const beside = [];
  while (performance.now() < until) {
    beside.push(await upload());
    most = Math.max(most, handles());
    await pause(250);
  }
  const since = performance.now();
  const sum = async (counts) => (await Promise.all(counts)).reduce((all, count) => all + count, 0);
  const ended = await sum(tricklers);
  // The clients keep their connections open: the server has to close them.
  while (handles() > handlesBefore + 2 && performance.now() - since < 60_000) await pause(50);
  const back = (performance.now() - since) / 1000;
  const handlesAfter = handles();
  last.forEach((socket) => socket.destroy());
  const endedSilent = await sum(silent);

  const [usual, meanwhile] = [median(alone), median(beside)];
  const result = {
    seconds: SECONDS,
    tricklers: TRICKLERS,
    connections: CONNECTIONS,
    tricklers_ended_by_the_server: ended,
    connections_ended_by_the_server: endedSilent,
    uploads_alone: alone.length,
    usual_ms: Math.round(usual),
    uploads_beside: beside.length,
    beside_ms: Math.round(meanwhile),
    slowest_beside_ms: Math.round(Math.max(...beside)),
    times: Number((meanwhile / usual).toFixed(2)),
    goal_times: GOAL.times,
    statuses: Object.fromEntries(statuses),
    handles_before: handlesBefore,
    handles_most: most,
    handles_after: handlesAfter,
    seconds_until_back: Number(back.toFixed(1)),
    goal_seconds_until_back: GOAL.secondsUntilHandlesAreBack,
  };
  console.table(result);
  console.log(JSON.stringify(result));
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
