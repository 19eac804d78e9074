import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { WebhookSending } from '#areas/webhooks/webhook-sending';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { freePort } from '#platform/net/free-port';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { formTo, filledIn } from '#testing/forms';
import { untilWaitingForLock } from '#testing/held-lock';
import { resetClocks } from '#testing/movable-clock';
import { OAuthApp, signedInPerson } from '#testing/oauth-app';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Receiver, type Received } from '#testing/webhook-receiver';
import { waitUntil } from '#testing/wait-until';

/** The number of connections of the server to the database. */
const CONNECTIONS = 10;
const PARALLEL_REQUESTS = CONNECTIONS + 4;

const pause = (ms = 40) => new Promise((resolve) => setTimeout(resolve, ms));

async function waitFor<T>(read: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  let answer = await read();
  await waitUntil(async () => {
    if (isDone(answer)) return true;
    await pause();
    answer = await read();
    return false;
  });
  return answer;
}

describe('webhooks', () => {
  let server: TestServer;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true });
    server.app.get(WebhookSending).start();
  });
  afterAll(async () => {
    for (const receiver of receivers) receiver.close();
    await server.stop();
  });

  async function openReceiver(): Promise<Receiver> {
    const receiver = await Receiver.open();
    receivers.push(receiver);
    return receiver;
  }
  const createWebhook = async (person: Person, receiver: Receiver, fields: object = {}) =>
    (await person.api.post('/webhooks', { url: receiver.url, ...fields })).body.data as { id: string; secret: string };
  const deliveries = async (person: Person, id: string) =>
    (await person.api.get(`/webhooks/${id}/deliveries`)).body.data as {
      id: string;
      status: string;
      attempts: number;
      last_status: number | null;
      next_attempt_at: string | null;
      change: { type: string; cursor: string };
    }[];
  const deliveriesWithStatus = async (person: Person, id: string, status: string) => {
    return waitFor(
      () => deliveries(person, id),
      ([newest]) => newest?.status === status,
    );
  };
  /** Waits until the newest delivery has at least this number of attempts, and returns the deliveries. */
  const deliveriesAfterAttempts = async (person: Person, id: string, attempts: number) => {
    return waitFor(
      () => deliveries(person, id),
      ([newest]) => (newest?.attempts ?? 0) >= attempts,
    );
  };

  // HOOK-1, HOOK-2, HOOK-3
  it('are created, shown, changed and deleted only by their owner', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const receiver = await openReceiver();
    const created = await jana.api.post('/webhooks', {
      url: receiver.url,
      types: ['event.created'],
      description: 'bot',
    });
    expect(created.status).toBe(201);
    expect(created.body.data).toEqual({
      id: expect.any(String),
      url: receiver.url,
      types: ['event.created'],
      description: 'bot',
      status: 'active',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
    });
    const { secret: _secret, ...webhook } = created.body.data;
    const at = `/webhooks/${webhook.id}`;
    expect(created.headers.get('location')).toBe(`${created.headers.get('location')?.split('/api/')[0]}/api/v1${at}`);
    expect((await jana.api.get(at)).body.data).toEqual(webhook);
    expect((await jana.api.get('/webhooks')).body).toMatchObject({ data: [webhook], meta: { total: 1 } });
    server.clock.forward(5_000);
    const types = ['event.created', 'event.created'];
    expect((await jana.api.patch(at, { description: 'bot', types })).body.data).toEqual(webhook);
    expect(
      (await jana.api.post('/webhooks', { url: receiver.url, types, description: 'bot' })).body.data.types,
    ).toEqual(['event.created']);
    // Each field can be changed alone.
    let current = webhook;
    for (const changes of [
      { description: null },
      { types: null },
      { url: `${receiver.url}changed` },
      { status: 'paused' },
    ]) {
      server.clock.forward(5_000);
      const { data } = (await jana.api.patch(at, changes)).body;
      const updated_at = expect.not.stringMatching(current.updated_at);
      expect(data).toEqual({ ...current, ...changes, updated_at });
      current = data;
    }
    for (const [method, path] of [
      ['GET', at],
      ['PATCH', at],
      ['DELETE', at],
      ['POST', `${at}/rotate`],
      ['POST', `${at}/test`],
      ['GET', `${at}/deliveries`],
      ['GET', '/webhooks/nonsense'],
      ['POST', `${at}/deliveries/nonsense/retry`],
    ] as const) {
      expect(await petr.api.send(method, path, method === 'PATCH' ? { json: { description: 'x' } } : {})).toMatchObject(
        { status: 404, body: { code: 'not_found' } },
      );
    }
    for (const wrong of [
      {},
      { url: 'nonsense' },
      { url: `${receiver.url}?${'x'.repeat(LIMITS.webhooks.url.max)}` },
      { url: 'ftp://127.0.0.1/' },
    ]) {
      expect(await jana.api.post('/webhooks', wrong)).toMatchObject({
        status: 422,
        body: { errors: { url: [expect.any(String)] } },
      });
    }
    expect((await jana.api.post('/webhooks', { url: receiver.url, types: ['puls.created'] })).status).toBe(422);
    expect(await jana.api.patch(at, { url: 'ftp://127.0.0.1/' })).toMatchObject({
      status: 422,
      body: { errors: { url: [expect.any(String)] } },
    });
    expect((await jana.api.delete(at)).status).toBe(204);
    expect((await jana.api.delete(at)).status).toBe(404);
  });

  // REF-10
  it('send messages that the code samples of /docs/webhooks receive and verify', async () => {
    const jana = await server.person('jana');
    const page = await server.nobody.send('GET', '~/docs/webhooks.md', {});
    const [withLibrary = '', withoutLibrary = ''] = [...page.text.matchAll(/```js\n([^]*?)\n```/g)].map(
      ([, code]) => code,
    );
    const folder = mkdtempSync(join(tmpdir(), 'webhook-samples-'));
    symlinkSync(join(__dirname, '../../node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'receiver.mjs'), withLibrary);
    writeFileSync(
      join(folder, 'check.mjs'),
      `${withoutLibrary}\nimport { readFileSync } from 'node:fs';
const { secret, headers, body } = JSON.parse(readFileSync(0, 'utf8'));
const changed = { ...headers, 'webhook-id': 'msg_other' };
const old = { ...headers, 'webhook-timestamp': String(headers['webhook-timestamp'] - 301) };
const verdict = (h, b) => { try { return verify(secret, h, b).type; } catch { return 'refused'; } };
const verdicts = [
  verdict(headers, body), verdict(changed, body), verdict(old, body), verdict(headers, body + ' '), verdict({}, body),
];
console.log(JSON.stringify(verdicts));`,
    );
    // The sample without a library accepts the received message, and refuses each of four changed messages.
    const receiver = await openReceiver();
    const { secret } = await createWebhook(jana, receiver, { types: ['event.created'] });
    const event = await buildEvent(server, jana);
    const [{ headers, body }] = (await receiver.atLeast(1)) as [Received];
    expect(
      JSON.parse(
        execFileSync(process.execPath, [join(folder, 'check.mjs')], {
          encoding: 'utf8',
          input: JSON.stringify({ secret, headers, body }),
        }),
      ),
    ).toEqual(['event.created', 'refused', 'refused', 'refused', 'refused']);
    // The sample with the library runs as a server.
    const port = await freePort();
    const sample = spawn(process.execPath, ['receiver.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    sample.stdout.on('data', (part) => lines.push(String(part)));
    const signed = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.startsWith('webhook-') || name === 'content-type'),
    );
    const post = async (text: string): Promise<number> => {
      const answer = await waitFor(
        () => fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: signed, body: text }).catch(() => null),
        (response) => response !== null,
      );
      return answer!.status;
    };
    expect([await post(body), await post(`${body} `)]).toEqual([204, 400]);
    expect(lines.join('')).toBe(`${headers['webhook-id'] ?? ''} event.created ${event.id}\n`);
    sample.kill();
    rmSync(folder, { recursive: true });
  });

  // HOOK-2
  it('are limited to five for each account, even with parallel requests', async () => {
    const jana = await server.person('jana');
    const receiver = await openReceiver();
    // The test holds the lock until requests wait on all connections. So the requests insert their webhooks
    // simultaneously.
    await server.sql('BEGIN');
    await server.sql('LOCK TABLE webhooks IN SHARE ROW EXCLUSIVE MODE');
    const answers = Array.from({ length: PARALLEL_REQUESTS }, () => jana.api.post('/webhooks', { url: receiver.url }));
    await untilWaitingForLock(server, CONNECTIONS);
    await server.sql('COMMIT');
    const creations = await Promise.all(answers);
    expect(creations.map(({ status }) => status).sort()).toEqual(
      Array.from({ length: PARALLEL_REQUESTS }, (_, n) => (n < LIMITS.webhooks.per_account ? 201 : 409)),
    );
    expect(creations.find(({ status }) => status === 409)?.body.code).toBe('webhook_limit_reached');
    expect((await jana.api.get('/limits')).body.data).toContainEqual({
      name: 'webhooks',
      limit: 5,
      used: 5,
      remaining: 0,
      resets_at: null,
      per: 'account',
    });
  });

  // HOOK-2, PAGE-21
  it('count towards the limit even while they are paused', async () => {
    const jana = await server.person('jana');
    const receiver = await openReceiver();
    const browser = await browserOf(server, jana);
    const list = '/account/api/webhooks';
    const form = formTo((await browser.get(list)).html, list);
    for (let n = 0; n < LIMITS.webhooks.per_account; n++) {
      const { id } = await createWebhook(jana, receiver);
      await jana.api.patch(`/webhooks/${id}`, { status: 'paused' });
    }
    expect((await jana.api.post('/webhooks', { url: receiver.url })).body.code).toBe('webhook_limit_reached');
    const body = filledIn(form, { url: receiver.url });
    const refused = await browser.send('POST', form.action, body, { accept: 'application/json' });
    expect([refused.status, JSON.parse(refused.html)]).toMatchObject([409, { code: 'webhook_limit_reached' }]);
    expect((await jana.api.get('/limits')).body.data).toContainEqual(
      expect.objectContaining({ name: 'webhooks', used: LIMITS.webhooks.per_account }),
    );
  });

  // HOOK-7, HOOK-16
  it('send a whole backlog, even if it is larger than one batch (LIMITS.webhooks.turn) and no further change occurs', async () => {
    const jana = await server.person('jana');
    const event = await buildEvent(server, jana);
    const receiver = await openReceiver();
    await createWebhook(jana, receiver, { types: ['comment.created'] });
    const count = LIMITS.webhooks.turn.messages + 30;
    await server.sql(
      `INSERT INTO comments (event_id, author_id, body, created_at)
       SELECT $1, $2, 'Ahoj ' || n, now() FROM generate_series(1, $3::int) n`,
      [event.eventId, jana.userId, count],
    );
    await receiver.atLeast(count);
    expect(new Set(receiver.received.map(({ message }) => message.data.subject.id)).size).toBe(count);
  });

  // HOOK-3
  it('can be activated by more parallel requests than there are database connections', async () => {
    const jana = await server.person('jana');
    const { id } = await createWebhook(jana, await openReceiver());
    await jana.api.patch(`/webhooks/${id}`, { status: 'paused' });
    // All connections wait for the row of the webhook. The request that gets the row first could not get a second
    // connection, so it must not need one.
    await server.sql('BEGIN');
    await server.sql('SELECT FROM webhooks WHERE user_id = $1 FOR UPDATE', [jana.userId]);
    const changing = Promise.all(
      Array.from({ length: PARALLEL_REQUESTS }, () => jana.api.patch(`/webhooks/${id}`, { status: 'active' })),
    );
    const countLockWaits = `
      SELECT count(DISTINCT pid)::int AS count FROM pg_locks
       WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`;
    await waitUntil(
      async () => ((await server.sql<{ count: number }>(countLockWaits))[0]?.count ?? 0) >= CONNECTIONS - 1,
    );
    await server.sql('COMMIT');
    const changed = await changing;
    expect(changed.map(({ status, body }) => [status, body.data?.status])).toEqual(changed.map(() => [200, 'active']));
  });

  // HOOK-6, HOOK-7
  it('send signed changes in the order of the feed, each with the cursor of the previous message', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const receiver = await openReceiver();
    await buildEvent(server, jana);
    const { cursor } = (await jana.api.get('/changes')).body.meta;
    const { secret, id } = await createWebhook(jana, receiver);
    const events = [await buildEvent(server, jana), await buildEvent(server, jana), await buildEvent(server, jana)];
    for (const event of events) await petr.api.post(`/events/${event.id}/join`);
    const { data } = (await jana.api.get(`/changes?cursor=${cursor}`)).body as { data: unknown[] };
    const received = await receiver.atLeast(data.length);
    const withoutCursor = (entry: unknown) => ({ ...(entry as Received['message']['data']), cursor: '' });
    expect(received.map(({ message }) => withoutCursor(message.data))).toEqual(data.map(withoutCursor));
    expect(received.map(({ message }) => message.previous)).toEqual([
      null,
      ...received.slice(0, -1).map(({ message }) => message.data.cursor),
    ]);
    for (const { body, headers, message } of received) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(message);
      expect(Object.keys(message)).toEqual(['type', 'timestamp', 'previous', 'data']);
      expect(message.type).toBe(message.data.type);
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(data.length);
    const all = await deliveriesWithStatus(jana, id, 'delivered');
    expect(all).toHaveLength(data.length);
    expect(all[0]).toMatchObject({
      attempts: 1,
      last_status: 204,
      next_attempt_at: null,
      change: received.at(-1)?.message.data,
    });
    // The cursor of a message can be used in the feed.
    expect((await jana.api.get(`/changes?cursor=${received.at(-1)?.message.data.cursor}`)).body.data).toEqual([]);
  });

  // HOOK-1, HOOK-7
  it('send only changes of the selected types, and nothing while the owner is banned or has neither Premium nor a verified account', async () => {
    const jana = await server.person('jana');
    const receiver = await openReceiver();
    await createWebhook(jana, receiver, { types: ['event.cancelled'] });
    const event = await buildEvent(server, jana);
    await jana.api.patch(`/events/${event.id}`, { title: 'Jinak' });
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    expect((await receiver.atLeast(1)).map(({ message }) => message.type)).toEqual(['event.cancelled']);
    const other = await buildEvent(server, jana);
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [jana.userId]);
    // The table `all_events` is changed, because the view `events` does not contain events of a banned person.
    await server.sql(`UPDATE all_events SET status = 'cancelled' WHERE id = $1`, [other.eventId]);
    await pause(1_600);
    expect(receiver.received).toHaveLength(1);
    const secondAgo = new Date(server.clock.now().getTime() - 1_000);
    for (const premiumUntil of [null, secondAgo]) {
      await server.sql('UPDATE users SET banned = false, premium_until = $2 WHERE id = $1', [
        jana.userId,
        premiumUntil,
      ]);
      await pause(1_600);
      expect(receiver.received).toHaveLength(1);
    }
    await server.sql('UPDATE users SET verified = true WHERE id = $1', [jana.userId]);
    expect((await receiver.atLeast(2))[1]?.message.previous).toBe(receiver.received[0]?.message.data.cursor);
    // ACC-5: an admin needs neither Premium nor a verified account.
    await server.sql('UPDATE users SET verified = false, admin = true WHERE id = $1', [jana.userId]);
    const third = await buildEvent(server, jana);
    await jana.api.patch(`/events/${third.id}`, { status: 'cancelled' });
    expect((await receiver.atLeast(3))[2]?.message.data.subject.id).toBe(third.id);
  });

  // HOOK-7, APP-20
  it('that an app has created send nothing while the app is suspended', async () => {
    const { person, browser } = await signedInPerson(server, 'jana');
    const app = await OAuthApp.register(server);
    const [receiver, own] = [await openReceiver(), await openReceiver()];
    await createWebhook({ ...person, api: (await app.connect(browser, 'write')).api }, receiver, {
      types: ['event.created'],
    });
    await createWebhook(person, own, { types: ['event.created'] });
    await buildEvent(server, person);
    await receiver.atLeast(1);
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    await cli.answer('app', 'suspend', app.clientId);
    await buildEvent(server, person);
    await own.atLeast(2);
    await pause(1_600);
    expect(receiver.received).toHaveLength(1);
    await cli.answer('app', 'resume', app.clientId);
    expect((await receiver.atLeast(2))[1]?.message.previous).toBe(receiver.received[0]?.message.data.cursor);
  });

  // HOOK-1
  it('stop sending as soon as the owner is banned, even if the sender has already read the next messages', async () => {
    const jana = await server.person('jana');
    const receiver = await openReceiver();
    let announceMoreMessages: () => void = () => undefined;
    const moreMessagesExist = new Promise<void>((resolve) => (announceMoreMessages = resolve));
    // The receiver does not answer the first message until three more messages exist. The sender then reads these
    // three messages together. The owner is banned during the second message.
    receiver.answer = (response) =>
      void (async () => {
        if (receiver.received.length === 1) await moreMessagesExist;
        if (receiver.received.length === 2)
          await server.sql('UPDATE users SET banned = true WHERE id = $1', [jana.userId]);
        response.writeHead(204).end();
      })();
    await createWebhook(jana, receiver, { types: ['event.created'] });
    await buildEvent(server, jana);
    await receiver.atLeast(1);
    for (let n = 0; n < 3; n++) await buildEvent(server, jana);
    announceMoreMessages();
    await receiver.atLeast(2);
    await pause(700);
    expect(receiver.received).toHaveLength(2);
    await server.sql('UPDATE users SET banned = false WHERE id = $1', [jana.userId]);
    await receiver.atLeast(4);
    expect(receiver.received.slice(1).map(({ message }) => message.previous)).toEqual(
      receiver.received.slice(0, 3).map(({ message }) => message.data.cursor),
    );
  });

  // HOOK-7, HOOK-9
  it('repeat the same message while the receiver is not available, and send later messages only after this message', async () => {
    const jana = await server.person('jana');
    const [down, other] = [await openReceiver(), await openReceiver()];
    down.answer = (response) =>
      void response.writeHead(down.received.length === 1 ? 500 : 302, { location: other.url }).end();
    const { id } = await createWebhook(jana, down, { types: ['event.created'] });
    const events = [await buildEvent(server, jana), await buildEvent(server, jana)];
    await down.atLeast(1);
    expect(await deliveriesAfterAttempts(jana, id, 1)).toMatchObject([
      { status: 'pending', attempts: 1, last_status: 500, next_attempt_at: expect.any(String) },
    ]);
    server.clock.forward(5_000);
    await down.atLeast(2);
    expect(await deliveriesAfterAttempts(jana, id, 2)).toMatchObject([
      { status: 'pending', attempts: 2, last_status: 302 },
    ]);
    expect(other.received).toEqual([]);
    down.answer = (response) => void response.writeHead(200).end('ok');
    server.clock.forward(60_000);
    const received = await down.atLeast(4);
    expect(received.map(({ message }) => message.data.subject.id)).toEqual([
      events[0]?.id,
      events[0]?.id,
      events[0]?.id,
      events[1]?.id,
    ]);
    expect(new Set(received.slice(0, 3).map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
    // `webhook-timestamp` is the time of the attempt, because receivers refuse messages with an old time.
    const times = received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(5);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(60);
  });

  // HOOK-7
  it('give up a waiting message when the owner can no longer see the event, but repeat a delivered message if the owner requests it', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const receiver = await openReceiver();
    const event = await buildEvent(server, jana);
    await petr.api.post(`/events/${event.id}/join`);
    await jana.api.patch(`/events/${event.id}`, { is_public: false });
    const { id } = await createWebhook(petr, receiver, { types: ['event.updated', 'event.gone'] });
    await jana.api.patch(`/events/${event.id}`, { title: 'Doručeno' });
    const [delivered] = await deliveriesWithStatus(petr, id, 'delivered');
    receiver.answer = (response) => void response.writeHead(500).end();
    await jana.api.patch(`/events/${event.id}`, { title: 'Nedoručeno' });
    await receiver.atLeast(2);
    await deliveriesAfterAttempts(petr, id, 1);
    await jana.api.delete(`/events/${event.id}/participants/${petr.slug}`);
    receiver.answer = (response) => void response.writeHead(200).end();
    server.clock.forward(5_000);
    const received = await receiver.atLeast(3);
    expect(received.map(({ message }) => message.type)).toEqual(['event.updated', 'event.updated', 'event.gone']);
    const all = await deliveriesWithStatus(petr, id, 'delivered');
    expect(all).toMatchObject([
      { change: { type: 'event.gone' } },
      { status: 'failed', attempts: 1, next_attempt_at: null },
      { id: delivered?.id },
    ]);
    expect((await petr.api.get(`/webhooks/${id}`)).body.data.status).toBe('active');
    for (const [index, attempts] of [
      [1, 1],
      [2, 2],
    ] as const) {
      expect((await petr.api.post(`/webhooks/${id}/deliveries/${all[index]?.id}/retry`)).status).toBe(202);
      const isDone = (list: typeof all) => list[index]?.next_attempt_at === null;
      expect((await waitFor(() => deliveries(petr, id), isDone))[index]).toMatchObject({ attempts });
    }
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      [0, 1, 2, 0].map((nth) => receiver.received[nth]?.headers['webhook-id']),
    );
  });

  // HOOK-6, OPS-26
  it('try to send a message again later if none of their secrets can be decrypted', async () => {
    const { jana } = await server.people('jana');
    const receiver = await openReceiver();
    const { id } = await createWebhook(jana, receiver);
    await server.sql('UPDATE webhooks SET secret_sealed = $1', ['another secret']);
    await buildEvent(server, jana);
    const [delivery] = await deliveriesAfterAttempts(jana, id, 1);
    expect(delivery).toMatchObject({ status: 'pending', last_status: null, next_attempt_at: expect.any(String) });
    expect(receiver.received).toEqual([]);
    await jana.api.delete(`/webhooks/${id}`);
  });

  // HOOK-10
  it('are paused immediately after a 410 response, and continue with new changes after they are activated', async () => {
    const jana = await server.person('jana');
    const receiver = await openReceiver();
    receiver.answer = (response) => void response.writeHead(410).end();
    const { id } = await createWebhook(jana, receiver, { types: ['event.created'] });
    await buildEvent(server, jana);
    expect(await deliveriesWithStatus(jana, id, 'failed')).toMatchObject([
      { attempts: 1, last_status: 410, next_attempt_at: null },
    ]);
    await waitUntil(async () => (await jana.api.get(`/webhooks/${id}`)).body.data.status === 'paused');
    expect((await jana.api.get('/notices')).body.data).toMatchObject([
      { kind: 'webhook_paused', subject: { type: 'webhook', id }, text: expect.stringContaining(receiver.url) },
    ]);
    await buildEvent(server, jana);
    await pause(1_600);
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (response) => void response.writeHead(200).end();
    expect((await jana.api.patch(`/webhooks/${id}`, { status: 'active' })).body.data.status).toBe('active');
    const later = await buildEvent(server, jana);
    expect((await receiver.atLeast(2))[1]?.message.data.subject.id).toBe(later.id);

    // A 410 response to a test message has the same effect.
    receiver.answer = (response) => void response.writeHead(410).end();
    await jana.api.post(`/webhooks/${id}/test`);
    await waitUntil(async () => (await jana.api.get(`/webhooks/${id}`)).body.data.status === 'paused');
  });

  // HOOK-3
  it('drop waiting messages when the owner activates a paused webhook', async () => {
    const jana = await server.person('jana');
    const receiver = await openReceiver();
    const { id } = await createWebhook(jana, receiver, { types: ['event.created'] });
    const at = '2026-01-01T00:00:00Z';
    const change = {
      cursor: 'x',
      at,
      type: 'event.created',
      subject: { type: 'event', id: 'abcdefgh', url: 'https://events.example/api/v1/events/abcdefgh' },
      by: null,
    };
    const body = JSON.stringify({ type: change.type, timestamp: at, previous: null, data: change });
    await server.sql(
      `INSERT INTO webhook_deliveries (webhook_id, message_id, body, next_attempt_at, created_at)
      SELECT id, 'msg_waiting', $2, now() + interval '1 day', now() FROM webhooks WHERE user_id = $1`,
      [jana.userId, body],
    );
    // Activating an active webhook drops nothing.
    expect((await jana.api.patch(`/webhooks/${id}`, { status: 'active', description: 'bot' })).status).toBe(200);
    expect(await deliveries(jana, id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect((await jana.api.patch(`/webhooks/${id}`, { status: 'paused' })).status).toBe(200);
    // HOOK-8: waiting messages are not deleted, even if they are old.
    server.clock.forward(2 * LIMITS.webhooks.deliveries_kept * 1000);
    await server.job('webhooks-sweep');
    resetClocks();
    expect((await jana.api.patch(`/webhooks/${id}`, { status: 'active' })).status).toBe(200);
    expect(await deliveries(jana, id)).toMatchObject([{ status: 'failed', attempts: 0, next_attempt_at: null }]);
    const later = await buildEvent(server, jana);
    expect((await receiver.atLeast(1))[0]?.message.data.subject.id).toBe(later.id);
  });

  // HOOK-9, HOOK-10
  it('are paused with a notice after five days of failed attempts', async () => {
    const jana = await server.person('jana');
    const receiver = await openReceiver();
    receiver.answer = (response) => void response.writeHead(503).end('x'.repeat(3 * LIMITS.webhooks.answer.kept));
    const { id } = await createWebhook(jana, receiver, { types: ['event.created'] });
    await buildEvent(server, jana);
    for (let tries = 1; tries < 12; tries++) {
      await receiver.atLeast(tries);
      const [waiting] = await waitFor(
        () =>
          server.sql<{ next: Date | null; attempts: number }>(
            `SELECT next_attempt_at AS next, attempts FROM webhook_deliveries d
               JOIN webhooks w ON w.id = d.webhook_id WHERE w.user_id = $1`,
            [jana.userId],
          ),
        ([delivery]) => delivery?.attempts === tries && delivery.next !== null,
      );
      server.clock.moveTo(new Date(waiting!.next!.getTime() + 1_000));
    }
    await receiver.atLeast(12);
    const [failedDelivery] = await deliveriesWithStatus(jana, id, 'failed');
    expect(failedDelivery).toMatchObject({ attempts: 12, last_status: 503, next_attempt_at: null });
    expect((await jana.api.get(`/webhooks/${id}`)).body.data.status).toBe('paused');
    expect((await jana.api.get('/notices')).body.data).toMatchObject([{ kind: 'webhook_paused' }]);
    expect(
      await server.sql(
        `SELECT length(answer) AS kept FROM webhook_deliveries d
           JOIN webhooks w ON w.id = d.webhook_id WHERE w.user_id = $1`,
        [jana.userId],
      ),
    ).toEqual([{ kept: LIMITS.webhooks.answer.kept }]);
    server.clock.forward(LIMITS.webhooks.deliveries_kept * 1000);
    await server.job('webhooks-sweep');
    expect(await deliveries(jana, id)).toEqual([]);
  });

  // HOOK-4, HOOK-5
  it('can send test messages, which are signed with the two newest secrets for a day after a rotation', async () => {
    const jana = await server.person('jana');
    const receiver = await openReceiver();
    const { id, secret } = await createWebhook(jana, receiver, { types: ['event.cancelled'] });
    const sendTestMessage = async () => {
      const before = receiver.received.length;
      const test = await jana.api.post(`/webhooks/${id}/test`);
      expect(test).toMatchObject({
        status: 202,
        body: {
          data: { status: 'pending', attempts: 0, change: { type: 'webhook.test', subject: { type: 'webhook', id } } },
        },
      });
      return (await receiver.atLeast(before + 1))[before] as Received;
    };
    const verifies = ({ body, headers }: Received, signingSecret: string) => {
      // The library compares times with the clock of the machine, so only the signature is checked here.
      const stamped = new Date(Number(headers['webhook-timestamp']) * 1000);
      return (headers['webhook-signature'] ?? '')
        .split(' ')
        .includes(new Webhook(signingSecret).sign(headers['webhook-id'] ?? '', stamped, body));
    };
    const first = await sendTestMessage();
    expect(new Webhook(secret).verify(first.body, first.headers)).toMatchObject({
      type: 'webhook.test',
      previous: null,
    });
    await jana.api.patch(`/webhooks/${id}`, { status: 'paused' });
    const rotated = (await jana.api.post(`/webhooks/${id}/rotate`)).body.data.secret as string;
    expect(rotated).not.toBe(secret);
    const second = await sendTestMessage();
    expect([verifies(second, rotated), verifies(second, secret)]).toEqual([true, true]);
    const newest = (await jana.api.post(`/webhooks/${id}/rotate`)).body.data.secret as string;
    server.clock.forward(LIMITS.webhooks.former_secret * 1000 - 60_000);
    const afterSecondRotation = await sendTestMessage();
    expect([newest, rotated, secret].map((signingSecret) => verifies(afterSecondRotation, signingSecret))).toEqual([
      true,
      true,
      false,
    ]);
    server.clock.forward(60_000);
    const third = await sendTestMessage();
    expect([newest, rotated, secret].map((signingSecret) => verifies(third, signingSecret))).toEqual([
      true,
      false,
      false,
    ]);
    // HOOK-10: a test message that fails with a status other than 410 does not pause the webhook.
    await jana.api.patch(`/webhooks/${id}`, { status: 'active' });
    receiver.answer = (response) => void response.writeHead(500).end();
    await sendTestMessage();
    expect(await deliveriesWithStatus(jana, id, 'failed')).toMatchObject([
      { attempts: 1, last_status: 500 },
      ...Array.from({ length: 4 }, () => ({ status: 'delivered' })),
    ]);
    expect((await jana.api.get(`/webhooks/${id}`)).body.data.status).toBe('active');
    expect((await jana.api.get('/notices')).body.data).toEqual([]);
  });

  // HOOK-8
  it('send a message again with the same id as soon as the owner requests it, even if it was already delivered', async () => {
    const jana = await server.person('jana');
    const receiver = await openReceiver();
    const { id } = await createWebhook(jana, receiver, { types: ['event.created'] });
    await buildEvent(server, jana);
    const [one] = await deliveriesWithStatus(jana, id, 'delivered');
    expect(await jana.api.post(`/webhooks/${id}/deliveries/${one?.id}/retry`)).toMatchObject({
      status: 202,
      body: { data: { id: one?.id } },
    });
    const [first, again] = await receiver.atLeast(2);
    expect(one?.change).toEqual(first?.message.data);
    expect(one?.id).not.toBe(first?.headers['webhook-id']);
    expect(again).toMatchObject({ body: first?.body, headers: { 'webhook-id': first?.headers['webhook-id'] } });
    await waitUntil(async () => (await deliveries(jana, id))[0]?.attempts === 2);
    expect(await deliveries(jana, id)).toMatchObject([{ id: one?.id, status: 'delivered', attempts: 2 }]);

    // A repeated attempt fails, but the message keeps the status `delivered` and is not retried.
    receiver.answer = (response) => void response.writeHead(500).end();
    await jana.api.post(`/webhooks/${id}/deliveries/${one?.id}/retry`);
    expect(await deliveriesAfterAttempts(jana, id, 3)).toMatchObject([
      { id: one?.id, status: 'delivered', attempts: 3, last_status: 500, next_attempt_at: null },
    ]);
    expect((await jana.api.get(`/webhooks/${id}`)).body.data.status).toBe('active');

    // The message cannot be sent to another webhook, whether this webhook belongs to the same account or not.
    const petr = await server.person('petr');
    for (const [person, other] of [
      [petr, await createWebhook(petr, await openReceiver())],
      [jana, await createWebhook(jana, await openReceiver())],
    ] as const) {
      expect(await person.api.post(`/webhooks/${other.id}/deliveries/${one?.id}/retry`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
    expect(await deliveries(jana, id)).toMatchObject([{ attempts: 3, next_attempt_at: null }]);
  });

  // HOOK-7
  it('are not delayed by one slow receiver', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const [slow, quick] = [await openReceiver(), await openReceiver()];
    slow.answer = () => undefined;
    await createWebhook(jana, slow, { types: ['event.created'] });
    await createWebhook(petr, quick, { types: ['event.created'] });
    await buildEvent(server, jana);
    await slow.atLeast(1);
    for (let i = 0; i < 5; i++) await buildEvent(server, petr);
    await quick.atLeast(5);
    expect(slow.received).toHaveLength(1);
  });

  // HOOK-13, PAGE-98
  it('are created only once if the form of the page is sent twice', async () => {
    const receiver = await openReceiver();
    const jana = await server.person('jana');
    const browser = await browserOf(server, jana);
    const list = '/account/api/webhooks';
    const form = formTo((await browser.get(list)).html, list);
    const send = (url: string) => browser.send('POST', form.action, filledIn(form, { url }));
    expect((await send('ftp://example.org')).status).toBe(422);
    const [first, second] = [await send(receiver.url), await send(receiver.url)];
    expect([first.status, second.to]).toEqual([303, first.to]);
    expect((await jana.api.get('/webhooks')).body.data).toHaveLength(1);
  });

  // PAGE-97
  it('are not changed by a form that was opened before another change', async () => {
    const receiver = await openReceiver();
    const jana = await server.person('jana');
    const browser = await browserOf(server, jana);
    const { id } = await createWebhook(jana, receiver, { types: ['event.created'] });
    const page = `/account/api/webhooks/${id}`;
    const form = formTo((await browser.get(page)).html, page);
    await jana.api.patch(`/webhooks/${id}`, { types: ['post.created'] });
    const refused = await browser.send('POST', form.action, filledIn(form, { description: 'můj' }));
    expect([refused.status, refused.html.includes('It is now: post.created')]).toEqual([412, true]);
    const again = formTo(refused.html, page);
    expect((await browser.send('POST', again.action, filledIn(again, {}))).status).toBe(303);
    expect((await jana.api.get(`/webhooks/${id}`)).body.data).toMatchObject({
      types: ['post.created'],
      description: 'můj',
    });
  });

  // HOOK-13
  it('can be managed on the pages of the account with the same rules as in the API', async () => {
    const receiver = await openReceiver();
    const jana = await server.person('jana');
    const browser = await browserOf(server, jana);
    const list = '/account/api/webhooks';
    expect((await browser.get('/account/api')).html).toContain(`href="${list}"`);
    const wrong = await browser.submit(list, { url: 'ftp://example.org', description: 'my bot' });
    expect([wrong.status, wrong.html.includes('aria-invalid="true"'), wrong.html.includes('value="my bot"')]).toEqual([
      422,
      true,
      true,
    ]);

    const created = await browser.submit(list, {
      url: receiver.url,
      description: '<my bot>',
      types: 'event.created',
    });
    const page = created.to as string;
    expect([created.status, page]).toEqual([303, expect.stringMatching(/^\/account\/api\/webhooks\/\w+$/)]);
    const first = await browser.get(page);
    const secret = /<pre id="fresh-secret">(whsec_[^<]+)</.exec(first.html)?.[1] ?? '';
    expect(first.html).toContain('role="status">The webhook has been created.');
    expect((await browser.get(page)).html).not.toContain('whsec_');
    expect((await jana.api.get('/webhooks')).body.data).toEqual([
      expect.objectContaining({
        url: receiver.url,
        description: '<my bot>',
        types: ['event.created'],
        status: 'active',
      }),
    ]);
    expect((await browser.get(list)).html).toContain('&lt;my bot&gt;');

    expect((await browser.submit(page, {}, `${page}/test`)).to).toBe(`${page}?tested`);
    const [test] = await receiver.atLeast(1);
    expect(new Webhook(secret).verify(test!.body, test!.headers)).toMatchObject({ type: 'webhook.test' });
    const delivered = await waitFor(
      () => browser.get(page),
      ({ html }) => html.includes('delivered'),
    );
    const retry = /action="([^"]+\/deliveries\/\w+\/retry)"/.exec(delivered.html)?.[1] as string;
    expect((await browser.submit(page, {}, retry)).to).toBe(`${page}?sent`);
    expect((await receiver.atLeast(2))[1]?.headers['webhook-id']).toBe(test!.headers['webhook-id']);

    const rotated = await browser.submit(page, {}, `${page}/rotate`);
    expect(rotated.to).toBe(page);
    expect(/whsec_[^<]+/.exec((await browser.get(page)).html)?.[0]).not.toBe(secret);
    expect((await browser.submit(page, {}, `${page}/pause`)).to).toBe(`${page}?paused`);
    expect((await jana.api.get('/webhooks')).body.data[0].status).toBe('paused');
    expect((await browser.submit(page, {}, `${page}/activate`)).to).toBe(`${page}?active`);
    const edit = await browser.submit(page, { url: '', description: '' });
    expect([edit.status, edit.html.includes('aria-invalid="true"')]).toEqual([422, true]);
    expect((await browser.submit(page, { url: receiver.url, description: '' })).to).toBe(`${page}?saved`);
    expect((await jana.api.get('/webhooks')).body.data[0]).toMatchObject({
      types: null,
      description: null,
      status: 'active',
    });

    // Another account cannot open or change the webhook.
    const mallory = await browserOf(server, await server.person('mallory'));
    for (const path of [page, `${page}/delete`, `${list}/nonsense`]) expect((await mallory.get(path)).status).toBe(404);
    for (const path of [page, `${page}/test`, `${page}/pause`, `${page}/rotate`, `${page}/delete`, retry]) {
      expect([path, (await mallory.submit(list, { url: receiver.url }, path)).status]).toEqual([path, 404]);
      expect([path, (await browser.post(path, { url: receiver.url })).status]).toEqual([path, 403]);
    }
    const freePerson = await server.person('poor');
    const freeBrowser = await browserOf(server, freePerson);
    await server.sql('UPDATE users SET premium_until = NULL, verified = false WHERE slug = $1', [freePerson.slug]);
    const refusedPage = await freeBrowser.submit('/account', { url: receiver.url }, list);
    expect([refusedPage.status, refusedPage.html.includes('Webhooks are available to Premium')]).toEqual([403, true]);
    // PAGE-21
    const freeForm = filledIn(formTo((await freeBrowser.get('/account/requests')).html, '/sign-out'), {});
    const refused = await freeBrowser.send('POST', list, freeForm, { accept: 'application/json' });
    expect([refused.status, JSON.parse(refused.html)]).toMatchObject([403, { code: 'premium_required' }]);

    for (let n = 1; n < LIMITS.webhooks.per_account; n++)
      expect((await browser.submit(list, { url: receiver.url })).status).toBe(303);
    const full = await browser.submit(list, { url: receiver.url });
    expect([full.status, /role="alert"[^>]*><p><strong>You can have at most 5/.test(full.html)]).toEqual([409, true]);
    expect((await browser.get(`${page}/delete`)).html).toContain(receiver.url);
    expect((await browser.submit(`${page}/delete`, {})).to).toBe(`${list}?deleted`);
    expect((await browser.get(page)).status).toBe(404);
    await server.sql(`UPDATE users SET locale = 'cs' WHERE slug = $1`, [jana.slug]);
    expect((await browser.get(list)).html).toContain('<h2>Nový webhook</h2>');
  }, 60_000);
});

// HOOK-11
describe('webhooks on a server that sends to public addresses only', () => {
  it('are refused for private addresses, for addresses with http, and for unknown host names', async () => {
    const server = await TestServer.start();
    const jana = await server.person('jana');
    for (const url of [
      'https://127.0.0.1/',
      'https://localhost/',
      'http://93.184.216.34/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/',
      'https://nobody.invalid/',
    ]) {
      expect(await jana.api.post('/webhooks', { url })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: { url: [expect.any(String)] } },
      });
    }
    const { id } = (await jana.api.post('/webhooks', { url: 'https://93.184.216.34/' })).body.data;
    expect((await jana.api.patch(`/webhooks/${id}`, { url: 'https://10.0.0.1/' })).status).toBe(422);
    // The address is also checked at each attempt, because a host name can lead to a private address later.
    await server.sql(`UPDATE webhooks SET url = 'https://127.0.0.1:1/'`);
    // HOOK-3: an address that stays the same is not checked again.
    const same = await jana.api.patch(`/webhooks/${id}`, { url: 'https://127.0.0.1:1/', description: 'bot' });
    expect([same.status, same.body.data.description]).toEqual([200, 'bot']);
    server.app.get(WebhookSending).start();
    await jana.api.post(`/webhooks/${id}/test`);
    await waitFor(
      async () => (await jana.api.get(`/webhooks/${id}/deliveries`)).body.data,
      ([newest]) => newest?.status === 'failed',
    );
    expect(await server.sql('SELECT answer, last_status FROM webhook_deliveries')).toEqual([
      { answer: 'the address is not reachable from the internet', last_status: null },
    ]);
    await server.stop();
  });
});
