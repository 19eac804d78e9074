// Two servers and the followers of the feed of changes are killed (kill -9) one after another while people write.
// A follower (lib/follower.mjs) keeps a copy of the data, and updates it from the feed. After each kill, this copy must
// equal the data that full reads return.
//   npm run rehearse -- changes [--times 12] [--break]
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { client, readAllEvents } from './lib/follower.mjs';
import { environment, openDatabase, populate, sql, startServer } from './lib/installation.mjs';
import { folder, freePort, options, rehearse, ROOT, run, until } from './lib/programs.mjs';

const { times: TIMES, isBroken } = options(
  'changes',
  { times: 12 },
  'the title of an event changes without an entry in the feed',
);
const FOLLOWERS = 4;
const WRITERS = 8;
/** Number of events to which people write. With a small number, people often write to the same event. */
const EVENTS = 6;

await rehearse('changes', { maxMinutes: 15 }, async () => {
  const url = await openDatabase();
  const env = environment(url, folder('data'), { JOBS: 'off' });
  const people = await populate(env, { count: 30 });
  const ports = [await freePort(), await freePort()];
  const servers = await Promise.all(ports.map((port) => startServer(env, port)));
  const origins = servers.map(({ origin }) => origin);
  const followersFolder = folder('followers');
  const fileOf = (n) => join(followersFolder, `${n}.json`);
  const startFollower = (n) =>
    run(process.execPath, [join(ROOT, 'rehearse/lib/follower.mjs'), fileOf(n), people.tokens[n], ...origins]);
  const followers = Array.from({ length: FOLLOWERS }, (_, n) => startFollower(n));
  await until('all followers', () => followers.every((_, n) => existsSync(fileOf(n))));

  const clientOf = (n) => client(origins, people.tokens[n]);
  const stateOf = (n) => JSON.parse(readFileSync(fileOf(n), 'utf8'));
  // The database session of a killed server can still commit a write later. Full reads then include this write. The
  // comparison therefore waits until the follower has read the entry of the write.
  const untilAtEnd = (n) =>
    until(`follower ${n} at the end of the feed`, async () => {
      const { data, meta } = await clientOf(n)(`/changes?cursor=${stateOf(n).cursor}`);
      return data.length === 0 && !meta.has_more;
    });

  const count = { writes: 0, killed_servers: 0, killed_followers: 0, compared: 0, differences: 0 };
  // While `isWriting` is false, the writers pause. When `isOver` is true, the writers end. `inProgress` is the number
  // of unfinished writes.
  let [isWriting, isOver, inProgress] = [false, false, 0];
  const writers = Array.from({ length: WRITERS }, async (_, n) => {
    while (!isOver) {
      if (!isWriting) {
        await pause(20);
        continue;
      }
      inProgress++;
      if (await write(origins[n % 2], people)) count.writes++;
      inProgress--;
    }
  });
  for (let round = 0; round < TIMES; round++) {
    isWriting = true;
    await pause(500 + Math.random() * 1_000);
    // 0 and 1: this server is killed. 2: a follower is killed.
    const victim = round % 3;
    if (victim < 2) {
      await servers[victim].stop('SIGKILL');
      count.killed_servers++;
      await pause(300);
      servers[victim] = await startServer(env, ports[victim]);
    } else {
      const n = Math.floor(Math.random() * FOLLOWERS);
      await followers[n].stop('SIGKILL');
      count.killed_followers++;
      await pause(300);
      followers[n] = startFollower(n);
    }
    await pause(500);
    isWriting = false;
    await until('no write in progress', () => inProgress === 0);
    for (let n = 0; n < FOLLOWERS; n++) await untilAtEnd(n);
    if (isBroken && round === 0) {
      // The triggers are disabled, so the feed gets no entry for the new title. All followers are at the end of the
      // feed, so no unread entry makes them read the event again.
      await sql(
        url,
        `SET session_replication_role = replica; UPDATE all_events SET title = 'Silent' WHERE id = (SELECT min(id) FROM all_events)`,
      );
    }
    for (let n = 0; n < FOLLOWERS; n++) {
      await untilAtEnd(n);
      const [stored, expected] = [stateOf(n).objects, await readAllEvents(clientOf(n))];
      count.compared++;
      if (isDeepStrictEqual(sorted(stored), sorted(expected))) continue;
      count.differences++;
      for (const key of new Set([...Object.keys(expected), ...Object.keys(stored)])) {
        if (!isDeepStrictEqual(stored[key], expected[key]))
          console.error(
            `${round}, follower ${n}, ${key}:\n${JSON.stringify(stored[key])}\n${JSON.stringify(expected[key])}`,
          );
      }
    }
  }
  isOver = true;
  await Promise.all(writers);
  return { passed: count.differences === 0 && count.writes > TIMES * 10, ...count };
});

function sorted(state) {
  return Object.fromEntries(Object.entries(state).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Sends a random write. Returns whether the write was acknowledged. If a server dies during the request, the write can
 * be stored without an acknowledgement.
 */
async function write(origin, { tokens, events }) {
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  const n = Math.floor(Math.random() * EVENTS);
  const [event, otherToken] = [events[n], tokens[Math.floor(Math.random() * 12)]];
  const [method, path, token, body] = pick([
    ['POST', `/events/${event}/join`, otherToken],
    ['DELETE', `/events/${event}/join`, otherToken],
    ['POST', `/events/${event}/join`, otherToken],
    ['PATCH', `/events/${event}`, tokens[n], { title: `Piknik ${Math.floor(Math.random() * 100)}` }],
    ['PATCH', `/events/${event}`, tokens[n], { is_public: Math.random() < 0.8 }],
    ['POST', `/events/${event}/comments`, otherToken, { body: 'Ahoj' }],
  ]);
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${origin}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) }).catch(
    () => null,
  );
  await answer?.arrayBuffer().catch(() => undefined);
  if (!answer) await pause(50);
  return answer?.ok ?? false;
}
