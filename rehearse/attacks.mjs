// A few accounts attack the service in three ways: with host names whose nameserver does not respond, with slow webhook
// receivers, and with webhooks that are created in parallel. Each attack takes two minutes by default. During this
// time, the requests and webhooks of other people must stay fast.
//   npm run rehearse -- attacks [--seconds 120] [--only names,bodies,webhooks] [--break]
import { Agent, createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { environment, openDatabase, populate, startServer } from './lib/installation.mjs';
import { ask, p95, startLoad } from './lib/load.mjs';
import { atEnd, folder, freePort, options, rehearse, ROOT } from './lib/programs.mjs';

const { seconds, only, isBroken } = options(
  'attacks',
  { seconds: 120, only: 'names,bodies,webhooks' },
  // The fault of --break:
  'one account can occupy all slots for name resolution and webhook deliveries, and no receiver counts as slow',
);
createRequire(import.meta.url)(join(ROOT, 'libs/testing/register-typescript.cjs'));
const { NameServer } = createRequire(import.meta.url)(join(ROOT, 'libs/testing/name-server.ts'));

/** Number of requests per second that the load (the usual requests of other people) sends. */
const RATE = 50;
const BEFORE_SECONDS = 40;
const MAX_LATENCY_RATIO = 2;
/**
 * If the 95th percentile of the delivery times before the attack is below this number of milliseconds, this number is
 * used instead.
 */
const FLOOR_MS = 250;
/** Number of people in the load. The people whose webhooks are measured, and the attackers, are additional people. */
const LOAD_PEOPLE = 120;
/** Numbers of the people whose webhooks are measured. */
const VICTIMS = [120, 121, 122, 123, 124];
/** Number of the first person who attacks. */
const FIRST_ATTACKER = 125;
const ATTACKERS = 20;
/** The default rate limit of a token. */
const REQUESTS_PER_MINUTE = 60;
/** Milliseconds that each parallel sender of an attack waits after a 429, so that fewer of its requests are refused. */
const WAIT_AFTER_REFUSAL_MS = 1_000;
const BETWEEN_REQUESTS_MS = 20;
/** Milliseconds. A response or a delivery that takes longer counts as missing. */
const LATE_MS = 20_000;
const GOOD_HOST = 'good.example.org';

/** Each attack sends its requests until `isOver()` returns true. */
const ATTACKS = {
  /**
   * One account sends 20 requests in parallel. Each request creates a webhook with a host name for which the nameserver
   * does not respond.
   */
  names: ({ call, people, isOver }) =>
    inParallel(20, isOver, async (n, turn) =>
      call(people.tokens[FIRST_ATTACKER], 'POST', '/webhooks', { url: `https://n${n}-${turn}.silent.example.org/` }),
    ),
  /**
   * 20 accounts have 5 webhooks each, and each account changes its event about once a second. The receiver immediately
   * sends the status 200, and then sends the response body for 10 seconds.
   */
  bodies: async ({ call, people, receivers, isOver }) => {
    for (let person = FIRST_ATTACKER; person < FIRST_ATTACKER + ATTACKERS; person++)
      for (let n = 0; n < 5; n++)
        await call(people.tokens[person], 'POST', '/webhooks', { url: receivers.urlOf(`slow/${person}/${n}`) });
    await inParallel(ATTACKERS, isOver, async (n, turn) => {
      const person = FIRST_ATTACKER + n;
      await call(people.tokens[person], 'PATCH', `/events/${people.events[person]}`, { title: `Piknik ${turn}` });
      await pause(1_000);
    });
  },
  /** One account creates, pauses, resumes and deletes webhooks, 40 requests in parallel. */
  webhooks: ({ call, people, receivers, isOver }) =>
    inParallel(40, isOver, async (n) => {
      const { data } = await call(people.tokens[FIRST_ATTACKER], 'POST', '/webhooks', {
        url: receivers.urlOf(`other/${n}`),
      });
      if (!data) return;
      for (const status of ['paused', 'active'])
        await call(people.tokens[FIRST_ATTACKER], 'PATCH', `/webhooks/${data.id}`, { status });
      await call(people.tokens[FIRST_ATTACKER], 'DELETE', `/webhooks/${data.id}`);
    }),
};

await rehearse('attacks', { maxMinutes: 20 }, async () => {
  const verdicts = {};
  for (const name of only.split(',')) verdicts[name] = await measureAttack(ATTACKS[name]);
  return { passed: Object.values(verdicts).every(({ passed }) => passed), ratio: MAX_LATENCY_RATIO, ...verdicts };
});

/** Measures the same load and the same deliveries before and during the attack. */
async function measureAttack(attack) {
  const nameServer = await NameServer.open(GOOD_HOST);
  atEnd(async () => nameServer.close());
  const receivers = await openReceivers();
  const env = environment(await openDatabase(), folder('data'), {
    RATE_LIMIT_TOKEN_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    WEBHOOKS_ALLOW_PRIVATE: 'on',
    REHEARSE_NAMESERVER: nameServer.address,
    NODE_OPTIONS: `--require=${join(ROOT, 'rehearse/lib/attacked-server.cjs')}`,
    ...(isBroken ? { REHEARSE_WITHOUT_SHARES: 'on' } : {}),
  });
  // The command line resolves no host names, so it does not need the module that redirects name resolution.
  const people = await populate({ ...env, NODE_OPTIONS: '' }, { count: FIRST_ATTACKER + ATTACKERS });
  const server = await startServer(env, await freePort());
  const attackers = { requests: 0, by_status: {} };
  const agent = new Agent({ keepAlive: true });
  atEnd(async () => agent.destroy());
  /** Returns {status, data}. If there is no response, the status is 0. */
  const call = async (token, method, path, body) => {
    const { status, text } = await ask(agent, `${server.origin}/api/v1${path}`, {
      method,
      token,
      body,
      within: LATE_MS,
    });
    await pause(BETWEEN_REQUESTS_MS);
    return { status, data: text?.startsWith('{') ? JSON.parse(text).data : undefined };
  };
  for (const victim of VICTIMS) {
    const { data } = await call(people.tokens[victim], 'POST', '/webhooks', {
      url: receivers.urlOf(`victim/${victim}`),
      types: ['event.updated'],
    });
    if (!data) throw new Error(`the webhook of person ${victim} was refused`);
  }

  const inLoad = Object.fromEntries(Object.entries(people).map(([name, all]) => [name, all.slice(0, LOAD_PEOPLE)]));
  const load = startLoad([server.origin], inLoad, { perSecond: RATE });
  const probe = startProbes({ call, people, receivers });
  await pause(BEFORE_SECONDS * 1000);
  load.phase('during');
  probe.phase('during');
  let isOver = false;
  const attacking = attack({
    people,
    receivers,
    isOver: () => isOver,
    call: async (...args) => {
      const answer = await call(...args);
      attackers.requests++;
      attackers.by_status[answer.status] = (attackers.by_status[answer.status] ?? 0) + 1;
      if (answer.status === 429) await pause(WAIT_AFTER_REFUSAL_MS);
      return answer;
    },
  });
  await pause(seconds * 1000);
  isOver = true;
  load.phase('after');
  const deliveries = await probe.end();
  await attacking;
  const figures = await load.end({ ratio: MAX_LATENCY_RATIO });
  await server.stop();
  return { ...figures, passed: figures.passed && deliveries.passed, deliveries, attackers };
}

/** Each victim repeatedly changes their event and waits for the message of their webhook. */
function startProbes({ call, people, receivers }) {
  const times = { before: [], during: [] };
  let [phase, isOver, missing] = ['before', false, 0];
  const probes = VICTIMS.map(async (victim) => {
    for (let turn = 0; !isOver; turn++) {
      const [startPhase, began] = [phase, performance.now()];
      const received = receivers.next(`victim/${victim}`);
      await call(people.tokens[victim], 'PATCH', `/events/${people.events[victim]}`, { title: `Výlet ${turn}` });
      const hasArrived = await Promise.race([received.then(() => true), pause(LATE_MS, false)]);
      if (hasArrived) times[startPhase].push(performance.now() - began);
      else missing++;
      await pause(1_000);
    }
  });
  return {
    phase: (name) => (phase = name),
    end: async () => {
      isOver = true;
      await Promise.all(probes);
      const [before, during] = [times.before, times.during].map(p95);
      const limit = MAX_LATENCY_RATIO * Math.max(before, FLOOR_MS);
      return {
        passed: missing === 0 && times.before.length > 20 && times.during.length > 20 && during <= limit,
        before: times.before.length,
        during: times.during.length,
        missing,
        p95_before_ms: Math.round(before),
        p95_during_ms: Math.round(during),
        p95_limit_ms: Math.round(limit),
      };
    },
  };
}

/** Starts a receiver of webhooks. For paths below /slow/ it sends the response body byte by byte for 10 seconds. */
async function openReceivers() {
  const waiting = new Map();
  const server = createServer((asked, answer) => {
    const name = asked.url.slice(1);
    asked.resume().on('end', async () => {
      waiting.get(name)?.();
      waiting.delete(name);
      answer.writeHead(200, { 'content-type': 'text/plain' });
      for (let n = 0; name.startsWith('slow/') && n < 100 && !answer.destroyed; n++) {
        answer.write('.');
        await pause(100);
      }
      answer.end();
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    urlOf: (name) => `http://${GOOD_HOST}:${server.address().port}/${name}`,
    next: (name) => new Promise((done) => waiting.set(name, done)),
  };
}

async function inParallel(count, isOver, work) {
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      for (let turn = 0; !isOver(); turn++) await work(n, turn);
    }),
  );
}
