// Two servers read from two streaming replicas. One replica dies and returns, and later both replicas fall behind.
// No request may fail, and people must see their own writes.
//   npm run rehearse -- replicas [--requests 6000] [--break]
import { setTimeout as pause } from 'node:timers/promises';
import { environment, populate, startHaproxy, startRedis, startServer } from './lib/installation.mjs';
import { startLoad } from './lib/load.mjs';
import { folder, freePort, options, rehearse, until } from './lib/programs.mjs';
import { startWithStandbys } from './lib/standbys.mjs';

const { requests, isBroken } = options(
  'replicas',
  { requests: 6000 },
  'the servers have no Redis, so a server does not know which writes people sent to the other server',
);
const REQUESTS_BEFORE = 2_000;
const PEOPLE = 120;
/** Number of additional people who write through one server and read through the other. */
const WATCHERS = 10;
const METRICS_TOKEN = 'metrics-of-a-rehearsal';
/**
 * The latency during the faults may be at most this many times the latency before them. While no replica is current,
 * the primary answers all reads, and it shares the machine's processors with the service.
 */
const MAX_LATENCY_RATIO = 10;

await rehearse('replicas', { maxMinutes: 15 }, async () => {
  const { url, replicas } = await startWithStandbys();
  const env = environment(url, folder('data'), {
    DATABASE_REPLICA_URLS: replicas.map((one) => one.url).join(' '),
    METRICS_TOKEN,
    ...(isBroken ? {} : { REDIS_URL: await startRedis() }),
  });
  const all = await populate(env, { count: PEOPLE + WATCHERS });
  const people = Object.fromEntries(Object.entries(all).map(([name, list]) => [name, list.slice(0, PEOPLE)]));
  const servers = await Promise.all([await freePort(), await freePort()].map((port) => startServer(env, port)));
  const origins = servers.map(({ origin }) => origin);
  const readsByDatabase = async () => {
    const counts = {};
    for (const origin of origins) {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const text = await (await fetch(`${origin}/metrics`, { headers })).text();
      for (const [, server, n] of text.matchAll(/^database_reads\S*\{[^}]*server="([^"]+)"[^}]*\} (\d+)/gm))
        counts[server] = (counts[server] ?? 0) + Number(n);
    }
    return counts;
  };
  const replicaReads = async () =>
    Object.entries(await readsByDatabase())
      .filter(([server]) => server !== 'primary')
      .map(([, n]) => n);
  const untilReplicasAreRead = async () => {
    const before = (await replicaReads()).reduce((sum, n) => sum + n, 0);
    await until(
      'reads from a replica',
      async () => (await replicaReads()).reduce((sum, n) => sum + n, 0) > before + 20,
    );
  };

  const load = startLoad([await startHaproxy(servers.map(({ port }) => port))], people);
  await load.sent(REQUESTS_BEFORE);
  load.phase('during');
  const enoughRequests = load.sent(requests);
  await replicas[0].kill();
  await load.sent(500);
  await replicas[0].start();
  await untilReplicasAreRead();
  for (const one of replicas) await one.sql('SELECT pg_wal_replay_pause()');
  let unseen = 0;
  for (let n = PEOPLE; n < PEOPLE + WATCHERS; n++)
    if (!(await seesOwnJoin(origins, all.tokens[n], all.events[n - PEOPLE]))) unseen++;
  // This pause is longer than DATABASE_REPLICA_MAX_LAG. So at its end, the primary answers all reads.
  await pause(12_000);
  // As soon as the replay resumes, PostgreSQL can cancel the statement that resumes it, because the delay of the
  // replica exceeds max_standby_streaming_delay. The statement is sent again after every error.
  for (const one of replicas)
    await until('the replay', () =>
      one.sql('SELECT pg_wal_replay_resume()').then(
        () => true,
        () => false,
      ),
    );
  await untilReplicasAreRead();
  await enoughRequests;
  const figures = await load.end({ ratio: MAX_LATENCY_RATIO });
  const used = await replicaReads();
  return {
    ...figures,
    passed: figures.passed && unseen === 0 && used.length === replicas.length && used.every((n) => n > 0),
    reads: await readsByDatabase(),
    own_joins: WATCHERS,
    own_joins_unseen: unseen,
  };
});

/** Joins an event through the first server. Returns whether Discover on the second server shows the participation. */
async function seesOwnJoin([first, second], token, event) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const joined = await fetch(`${first}/api/v1/events/${event}/join`, { method: 'POST', headers, body: '{}' });
  if (joined.status !== 200) throw new Error(`joining an event: ${joined.status} ${await joined.text()}`);
  for (let page = 1; page <= 2; page++) {
    const answer = await fetch(`${second}/api/v1/discover/events?per_page=100&page=${page}`, { headers });
    const found = (await answer.json()).data.find(({ id }) => id === event);
    if (found) return found.viewer.participation === 'confirmed';
  }
  return false;
}
