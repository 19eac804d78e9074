// Measures how attacks with webhooks affect an account that takes no part in them (LIM-15, LIM-16, HOOK-16). The
// requests and webhook deliveries of this account are timed without an attack and during each attack:
//   names      ten concurrent `POST /webhooks` with host names for which the nameserver does not respond. DATABASE_URL
//              also has a host name. The idle database connections are ended every 10 seconds, so that the service
//              resolves this name again during the attack.
//   slow       20 accounts with five webhooks each, whose receivers respond with 200 immediately, but then send a slow,
//              endless body; each account makes a change every 5 seconds
//   positions  40 concurrent `POST` and `PATCH /webhooks` of one account; each request reads the current position in
//              the feed of changes
//   npm run bench -- neighbours [SECONDS] [names|slow|positions]
// By default, all attacks run one after another, each for 120 seconds.
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { apply, median, startService } from './lib/service.mjs';

const SECONDS = Number(process.argv[2] ?? 120);
const ATTACKS = process.argv[3] ? [process.argv[3]] : ['names', 'slow', 'positions'];
const SECONDS_WITHOUT_ATTACK = Math.min(30, SECONDS);
const [ACCOUNTS, WEBHOOKS_PER_ACCOUNT] = [20, 5];
const GOAL_SLOWDOWN = 2;

const { openEmbeddedPostgres } = createRequire(import.meta.url)(
  '../dist/libs/platform/database/embedded/embedded-postgres.js',
);
const folder = mkdtempSync(join(tmpdir(), 'events-bench-'));
const postgres = await openEmbeddedPostgres({ folder: join(folder, 'postgres') });
const databaseUrl = new URL(postgres.url);
if (databaseUrl.hostname === '127.0.0.1') databaseUrl.hostname = 'localhost';

// The service resolves the host names in the accounts' webhooks with this nameserver, which never responds.
const nameServer = createSocket('udp4').bind(0, '127.0.0.1');
await new Promise((done) => nameServer.once('listening', done));
const preload = join(folder, 'silent.cjs');
writeFileSync(
  preload,
  `const dns = require('node:dns').promises;
dns.Resolver = class extends dns.Resolver { constructor(options) { super(options); this.setServers(['127.0.0.1:${nameServer.address().port}']); } };\n`,
);

const env = {
  DATABASE_URL: databaseUrl.href,
  DATA_DIR: folder,
  APP_SECRET: 'secret of a bench, and of nothing else',
  WEBHOOKS_ALLOW_PRIVATE: 'on',
  RATE_LIMIT_TOKEN_PER_MINUTE: '1000000',
  RATE_LIMIT_IP_PER_MINUTE: '1000000',
  NODE_OPTIONS: `--require ${preload}`,
};
const service = await startService(env);

/**
 * A receiver of webhooks that responds immediately with 204. With `trickles` it responds with 200 and a body that never
 * ends. `take` gets the path and the body of each request.
 */
async function receiver(trickles, take) {
  const server = createServer((request, response) => {
    let text = '';
    request
      .setEncoding('utf8')
      .on('data', (part) => (text += part))
      .on('end', () => {
        take(request.url, JSON.parse(text));
        if (!trickles) return response.writeHead(204).end();
        response.writeHead(200).write('x');
        const trickle = setInterval(() => response.write('x'), 200);
        response.on('close', () => clearInterval(trickle));
      });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: (path) => `http://127.0.0.1:${server.address().port}/${path}`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

const statuses = {};
async function api(who, token, method, path, json, signal) {
  const response = await fetch(`${service.origin}/api/v1${path}`, {
    method,
    signal,
    headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }) },
    body: json && JSON.stringify(json),
  });
  const { data = null } = response.status === 204 ? {} : await response.json();
  const counted = (statuses[who] ??= {});
  counted[response.status] = (counted[response.status] ?? 0) + 1;
  return { status: response.status, data };
}

const receivers = [];
try {
  const slugs = ['other', ...Array.from({ length: ACCOUNTS }, (_, n) => `greedy${n}`)];
  const created = await apply(
    {
      users: slugs.map((slug) => ({ slug, name: slug, verified: true, tokens: [{ name: 'bench', access: 'write' }] })),
    },
    env,
  );
  const [other, ...greedy] = created.users.map(({ tokens: [{ token }] }) => token);
  const arrivedAt = new Map();
  const quick = await receiver(false, (_path, { data }) => arrivedAt.set(data.subject.id, performance.now()));
  let trickled = 0;
  const trickling = await receiver(true, () => trickled++);
  receivers.push(quick, trickling);
  await api('setup', other, 'POST', '/webhooks', { url: quick.url('other'), types: ['post.created'] });

  const post = (title) => ({ title, categories: ['mista'], body: 'Text.', status: 'published' });
  /**
   * Repeatedly measures a read, a write and a webhook delivery of the account that is not part of the attack, with
   * pauses of 200 ms.
   */
  async function measure(seconds) {
    const [reads, writes] = [[], []];
    const sentAt = new Map();
    for (const until = performance.now() + seconds * 1000; performance.now() < until; await pause(200)) {
      const began = performance.now();
      await api('other reads', other, 'GET', '/user');
      const between = performance.now();
      const { status, data } = await api('other writes', other, 'POST', '/posts', post(`Post ${sentAt.size}`));
      const ended = performance.now();
      reads.push(between - began);
      writes.push(ended - between);
      if (status === 201) sentAt.set(data.slug, between);
    }
    const arrived = () => [...sentAt.keys()].filter((id) => arrivedAt.has(id));
    for (let waited = 0; waited < 40 && arrived().length < sentAt.size; waited++) await pause(250);
    const delivered = arrived().map((id) => arrivedAt.get(id) - sentAt.get(id));
    const percentile = (values, share) =>
      [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
    const figures = (values) => ({
      median_ms: Math.round(median(values)),
      p95_ms: Math.round(percentile(values, 0.95)),
      max_ms: Math.round(Math.max(...values)),
    });
    return {
      reads: figures(reads),
      writes: figures(writes),
      deliveries: figures(delivered),
      made: sentAt.size,
      delivered: delivered.length,
    };
  }

  /**
   * Waits 10 seconds and ends the idle database connections, so that the service must resolve the host name of the
   * database again. For the attack `names`, this function runs in both measurements: without the attack and during it.
   */
  async function endConnections(signal) {
    await pause(10_000, undefined, { signal });
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    // Only idle connections are ended, because ending a connection in use would cause another kind of error.
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database() AND state = 'idle'`,
    );
    await client.end();
  }

  const repeat = async (signal, work) => {
    for (let n = 0; !signal.aborted; n++)
      await work(n).catch((error) => {
        if (!signal.aborted) throw error;
      });
  };
  const attacks = {
    names: (signal) => [
      ...Array.from({ length: 10 }, (_, lane) =>
        repeat(signal, async (n) => {
          await api(
            'attack',
            greedy[0],
            'POST',
            '/webhooks',
            { url: `http://n${lane}-${n}.silent.example.org/` },
            signal,
          );
          await pause(300);
        }),
      ),
    ],
    slow: (signal) =>
      greedy.map((token) =>
        repeat(signal, async (n) => {
          if (n === 0)
            for (let hook = 0; hook < WEBHOOKS_PER_ACCOUNT; hook++)
              await api(
                'setup',
                token,
                'POST',
                '/webhooks',
                { url: trickling.url('greedy'), types: ['post.created'] },
                signal,
              );
          await api('attack', token, 'POST', '/posts', post(`Post ${n}`), signal);
          await pause(5_000);
        }),
      ),
    positions: (signal) => [
      repeat(signal, async () => {
        const { data } = await api('setup', greedy[1], 'GET', '/webhooks', undefined, signal);
        const hook =
          data[0]?.id ??
          (await api('setup', greedy[1], 'POST', '/webhooks', { url: quick.url('greedy') }, signal)).data.id;
        await api('setup', greedy[1], 'PATCH', `/webhooks/${hook}`, { status: 'paused' }, signal);
        await Promise.all(
          Array.from({ length: 40 }, (_, n) =>
            n % 2 === 0
              ? api('attack', greedy[1], 'POST', '/webhooks', { url: quick.url('greedy') }, signal)
              : api('attack', greedy[1], 'PATCH', `/webhooks/${hook}`, { status: 'active' }, signal),
          ),
        );
        await pause(1_000);
      }),
    ],
  };

  await measure(5);
  for (const name of ATTACKS) {
    for (const who of Object.keys(statuses)) delete statuses[who];
    const ending = new AbortController();
    const endings = name === 'names' ? repeat(ending.signal, () => endConnections(ending.signal)) : null;
    const alone = await measure(SECONDS_WITHOUT_ATTACK);
    const attack = new AbortController();
    const attackers = attacks[name](attack.signal);
    void Promise.all(attackers).catch((error) => console.error('the attack ended', error));
    await pause(2_000);
    const during_attack = await measure(SECONDS);
    attack.abort();
    ending.abort();
    await Promise.allSettled([...attackers, endings]);
    const slowdown = Object.fromEntries(
      ['reads', 'writes', 'deliveries'].map((what) => [
        what,
        Number((during_attack[what].median_ms / Math.max(1, alone[what].median_ms)).toFixed(2)),
      ]),
    );
    console.log(
      JSON.stringify({
        attack: name,
        seconds: SECONDS,
        alone,
        during_attack,
        slowdown,
        goal_slowdown: GOAL_SLOWDOWN,
        trickled,
        statuses: { ...statuses },
      }),
    );
  }
} finally {
  for (const one of receivers) one.close();
  await service.stop();
  nameServer.close();
  await postgres.release();
  rmSync(folder, { recursive: true, force: true });
}
