// Measures how long a read of an event's expenses takes over HTTP. Each read includes the settlement: who pays how much
// to whom. Many events have twenty people, and one event has a hundred people and fifty expenses. Events with fifty
// people and slow settlements show how a slow settlement delays other requests.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from './lib/load.mjs';
import { apply, cpuMicroseconds, IN_A_MONTH, median, startService } from './lib/service.mjs';

/** The number of events with twenty people. */
const TWENTIES = Number(process.env.TWENTIES ?? 120);
const ROUNDS = 20;
const TIMEOUT_MS = 60_000;
const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
const env = { DATA_DIR: dataDir, RATE_LIMIT_TOKEN_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' };

let state = 1;
/** Returns the next pseudorandom number below 1. The numbers are the same in every run. */
const draw = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;

/**
 * Random balances of `people` people, in cents. Each balance except the last is between `-range` and `range`. The sum
 * of the balances is zero.
 */
function balanced(people, range) {
  const balances = Array.from({ length: people - 1 }, () => Math.ceil(draw() * range) * (draw() < 0.5 ? -1 : 1));
  return [...balances, -balances.reduce((sum, balance) => sum + balance, 0)];
}

/** Expenses that result in `balances`. Each expense is shared with one person. */
function expensesFor(balances, slugs) {
  const open = balances.map((cents, person) => ({ cents, slug: slugs[person] })).filter(({ cents }) => cents !== 0);
  const expenses = [];
  for (;;) {
    open.sort((a, b) => b.cents - a.cents);
    const [creditor, debtor] = [open[0], open.at(-1)];
    if (!creditor || creditor.cents <= 0) return expenses;
    const cents = Math.min(creditor.cents, -debtor.cents);
    creditor.cents -= cents;
    debtor.cents += cents;
    expenses.push({ title: 'x', amount: cents / 100, paid_by: creditor.slug, shared_with: [debtor.slug] });
  }
}

function figures(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => Number((percentile(sorted, share) ?? 0).toFixed(1));
  return { requests: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) };
}

const service = await startService(env);
try {
  const people = Array.from({ length: 100 }, (_, number) => `person-${String(number).padStart(3, '0')}`);
  const guests = (count) => people.slice(1, count).map((user) => ({ user, status: 'confirmed' }));
  const event = (key, count) => ({
    key,
    organizer: people[0],
    title: `Bench ${key}`,
    starts_at: IN_A_MONTH,
    participants: guests(count),
  });
  const keys = {
    twenty: Array.from({ length: TWENTIES }, (_, number) => `twenty ${number}`),
    slow: Array.from({ length: ROUNDS }, (_, number) => `slow ${number}`),
  };
  const created = await apply(
    {
      users: people.map((slug, number) => ({
        slug,
        name: `Person ${number}`,
        verified: true,
        iban: 'CZ6508000000192000145399',
        tokens: number === 0 ? [{ name: 'bench', access: 'write' }] : [],
      })),
      events: [
        ...keys.twenty.map((key) => event(key, 20)),
        event('hundred', 100),
        ...keys.slow.map((key) => event(key, 50)),
      ],
    },
    env,
  );
  const ids = new Map(created.events.map(({ key, id }) => [key, id]));
  const headers = { authorization: `Bearer ${created.users[0].tokens[0].token}`, 'content-type': 'application/json' };
  const send = async (method, path, body) => {
    const since = performance.now();
    const answer = await fetch(`${service.origin}/api/v1${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return { ms: performance.now() - since, body: text === '' ? null : JSON.parse(text).data };
  };
  const fill = async (key, balances) => {
    for (const expense of expensesFor(balances, people))
      await send('POST', `/events/${ids.get(key)}/expenses`, expense);
  };
  const read = (key) => send('GET', `/events/${ids.get(key)}/expenses`);

  // A settlement needs fewer payments if the people can be divided into several groups, each with balances that add up
  // to zero. This is nearly always possible with small balances, and hardly ever with large balances.
  const ranges = [30, 60, 80, 100, 150, 300, 1000, 100_000];
  for (const [number, key] of keys.twenty.entries()) await fill(key, balanced(20, ranges[number % ranges.length]));
  for (const [number, key] of keys.slow.entries())
    await fill(key, balanced(number % 2 ? 23 : 50, number % 2 ? 100 : 2000));
  for (let number = 0; number < 50; number++) {
    await send('POST', `/events/${ids.get('hundred')}/expenses`, {
      title: 'x',
      amount: Math.ceil(10_000 + draw() * 500_000) / 100,
      paid_by: people[Math.floor(draw() * 100)],
    });
  }
  await read(keys.twenty[0]);

  // The processor time of all threads of the server. On a shared machine, processor time is more reliable than
  // wall-clock time.
  let spent = cpuMicroseconds(service.pid);
  const cpuSinceLastCall = (requests) => {
    const before = spent;
    spent = cpuMicroseconds(service.pid);
    return { cpu_ms_each: Number(((spent - before) / 1000 / requests).toFixed(1)) };
  };

  const twenty = [];
  let optimalCount = 0;
  for (const key of keys.twenty) {
    const { ms, body } = await read(key);
    twenty.push(ms);
    if (Object.values(body.summary).every(({ optimal }) => optimal)) optimalCount++;
  }

  const twentyCpu = cpuSinceLastCall(twenty.length);

  // In each round, one expense is replaced. The first read after the replacement finds no cached settlement. The second
  // read finds the settlement in the cache.
  const hundred = [];
  const repeated = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { body } = await read('hundred');
    await send('DELETE', `/events/${ids.get('hundred')}/expenses/${body.expenses[0].id}`);
    await send('POST', `/events/${ids.get('hundred')}/expenses`, {
      title: 'x',
      amount: Math.ceil(10_000 + draw() * 500_000) / 100,
      paid_by: people[Math.floor(draw() * 100)],
    });
    hundred.push((await read('hundred')).ms);
    repeated.push((await read('hundred')).ms);
  }

  // The next measurement of processor time begins here.
  cpuSinceLastCall(1);
  for (let round = 0; round < ROUNDS; round++) await read('hundred');
  const repeatedCpu = cpuSinceLastCall(ROUNDS);

  // Small requests are sent one after another: first without other work, then while a slow settlement is computed.
  const alone = [];
  const during = [];
  const slow = [];
  for (const key of keys.slow) {
    for (let number = 0; number < 20; number++) alone.push((await send('GET', '/user')).ms);
    let reading = true;
    const slowOne = read(key).then(({ ms }) => {
      slow.push(ms);
      reading = false;
    });
    while (reading) during.push((await send('GET', '/user')).ms);
    await slowOne;
  }

  const result = {
    twenty_people: {
      ...figures(twenty),
      ...twentyCpu,
      optimal: `${optimalCount}/${twenty.length}`,
      goal_p99_below: 100,
    },
    hundred_people_fifty_expenses: { ...figures(hundred), goal_below: 200 },
    the_same_read_again: { ...figures(repeated), ...repeatedCpu },
    slow_settlements: figures(slow),
    others_alone: figures(alone),
    others_beside_a_slow_one: figures(during),
    delay_of_others: {
      p50_ms: Number((median(during) - median(alone)).toFixed(1)),
      max_ms: Number((figures(during).max_ms - figures(alone).p50_ms).toFixed(1)),
      goal_max_below: 50,
    },
  };
  console.table(result);
  console.log(`load average ${loadavg()[0].toFixed(1)}`);
  console.log(JSON.stringify(result));
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
