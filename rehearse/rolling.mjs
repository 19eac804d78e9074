// Three servers of the service behind HAProxy are restarted one after another under 100 requests per second.
// No request may fail, and no write may be lost.
//   npm run rehearse -- rolling [--requests 20000] [--break]
// With --break, no request fails, but the latency is too high.
import { setTimeout as pause } from 'node:timers/promises';
import { faultyProxy } from './lib/faults.mjs';
import { environment, openDatabase, populate, startHaproxy, startRedis, startServer } from './lib/installation.mjs';
import { startLoad } from './lib/load.mjs';
import { folder, freePort, options, rehearse } from './lib/programs.mjs';

const { requests, isBroken } = options(
  'rolling',
  { requests: 20000 },
  'from the first restart on, each response is delayed by four seconds, which is within the time limit of a response',
);
const SERVERS = 3;
const REQUESTS_BEFORE = 2_000;
/**
 * Milliseconds between the start of a server and the stop of the next server. Within this time, HAProxy begins to send
 * the started server its share of the load.
 */
const PAUSE_MS = 5_000;
/**
 * The latency during the restarts may be at most this many times the latency before them. On a machine with two
 * processors, a starting server uses one of them for some seconds, so the latency of the other servers is many times
 * higher.
 */
const MAX_LATENCY_RATIO = 20;

await rehearse('rolling', { maxMinutes: 15 }, async () => {
  const env = environment(await openDatabase(), folder('data'), { REDIS_URL: await startRedis(), SHUTDOWN_DELAY: '5' });
  const people = await populate(env);
  const servers = [];
  for (let n = 0; n < SERVERS; n++) servers.push(await startServer(env, await freePort()));
  const origin = await startHaproxy(servers.map(({ port }) => port));
  const proxy = await faultyProxy(origin);

  const load = startLoad([isBroken ? proxy.origin : origin], people);
  await load.sent(REQUESTS_BEFORE);
  load.phase('during');
  if (isBroken) proxy.fault = 'late';
  let [isOver, restarts] = [false, 0];
  const enoughRequests = load.sent(requests).finally(() => (isOver = true));
  const codes = new Set();
  for (let n = 0; !isOver || restarts < SERVERS; n = (n + 1) % SERVERS) {
    codes.add(await servers[n].stop());
    servers[n] = await startServer(env, servers[n].port);
    restarts++;
    await pause(PAUSE_MS);
  }
  await enoughRequests;
  proxy.fault = null;
  const figures = await load.end({ ratio: MAX_LATENCY_RATIO });
  return {
    ...figures,
    passed: figures.passed && [...codes].join() === '0',
    restarts,
    exit_codes: [...codes],
  };
});
