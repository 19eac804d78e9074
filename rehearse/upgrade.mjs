// Three replicas of the version before are replaced by this one, and this one by them again, under 100 requests a second: none of 20,000 fails.
//   npm run rehearse -- upgrade [--from COMMIT] [--requests 20000]
// Without --from: the last tag, or the commit before the newest migration. A version that knows no schema_floor (0.1.0) cannot come back.
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import {
  cli,
  drain,
  environment,
  openDatabase,
  populate,
  startHaproxy,
  startRedis,
  startServer,
} from './lib/installation.mjs';
import { steadyLoad } from './lib/load.mjs';
import { folder, freePort, rehearse, ROOT } from './lib/programs.mjs';
import { built, formerVersion } from './lib/versions.mjs';

const {
  values: { from, requests },
} = parseArgs({ options: { from: { type: 'string' }, requests: { type: 'string', default: '20000' } } });
const REPLICAS = 3;
const BETWEEN = 5_000;

await rehearse('upgrade', 15, async () => {
  const former = await built(from ?? formerVersion());
  const env = environment(await openDatabase(), folder('data'), { REDIS_URL: await startRedis(), SHUTDOWN_DELAY: '5' });
  const people = await populate(env, { root: former.root });
  const replicas = [];
  for (let n = 0; n < REPLICAS; n++) replicas.push(await startServer(env, await freePort(), former.root));
  const origin = await startHaproxy(replicas.map(({ port }) => port));

  // At least this number, and until all have been replaced and have returned.
  let isReplaced = false;
  const load = steadyLoad(origin, people, { going: (n) => n < Number(requests) || !isReplaced });
  const replaceAll = async (root, fromKnowsDelay) => {
    for (let n = 0; n < REPLICAS; n++) {
      // A version without the shutdown delay is removed from the proxy by hand.
      if (!fromKnowsDelay) await drain(replicas[n].port);
      await replicas[n].stop();
      replicas[n] = await startServer(env, replicas[n].port, root);
      if (!fromKnowsDelay) await drain(replicas[n].port, false);
      await pause(BETWEEN);
    }
  };
  const plan = (await cli(env, ['migrate', '--plan'])).planned.map(({ migration, file }) => migration ?? file);
  const { applied } = await cli(env, ['migrate']);
  // The former ones are at work on the newer database.
  await pause(BETWEEN);
  await replaceAll(ROOT, former.knowsDelay);
  let back = 'not tried: it knows no schema_floor and refuses every newer database';
  if (former.knowsFloor) {
    try {
      await replaceAll(former.root, true);
      back = 'yes';
    } catch (error) {
      back = error.message;
    }
  }
  isReplaced = true;
  const figures = await load;
  return {
    held: figures.failed === 0 && (back === 'yes' || !former.knowsFloor),
    from: former.commit,
    migrations: applied.length,
    planned: plan.length,
    back,
    ...figures,
  };
});
