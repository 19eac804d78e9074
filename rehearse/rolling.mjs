// Three replicas behind HAProxy, restarted one after another under 100 requests a second: none of 20,000 fails.
//   npm run rehearse -- rolling [--requests 20000]
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { environment, openDatabase, populate, startHaproxy, startRedis, startServer } from './lib/installation.mjs';
import { steadyLoad } from './lib/load.mjs';
import { folder, freePort, rehearse } from './lib/programs.mjs';

const {
  values: { requests },
} = parseArgs({ options: { requests: { type: 'string', default: '20000' } } });
const REPLICAS = 3;
/** Milliseconds between one that is back and the next that leaves: it has its share of the load by then. */
const BETWEEN = 5_000;

await rehearse('rolling', 10, async () => {
  const env = environment(await openDatabase(), folder('data'), { REDIS_URL: await startRedis(), SHUTDOWN_DELAY: '5' });
  const people = await populate(env);
  const replicas = [];
  for (let n = 0; n < REPLICAS; n++) replicas.push(await startServer(env, await freePort()));
  const origin = await startHaproxy(replicas.map(({ port }) => port));

  let [over, restarts] = [false, 0];
  const codes = new Set();
  const load = steadyLoad(origin, people, { requests: Number(requests) }).finally(() => (over = true));
  for (let n = 0; !over; n = (n + 1) % REPLICAS) {
    codes.add(await replicas[n].stop());
    replicas[n] = await startServer(env, replicas[n].port);
    restarts++;
    await pause(BETWEEN);
  }
  const figures = await load;
  return {
    held: figures.failed === 0 && restarts >= REPLICAS && [...codes].join() === '0',
    restarts,
    exit_codes: [...codes],
    ...figures,
  };
});
