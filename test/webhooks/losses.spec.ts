import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebhookSending } from '#areas/webhooks/webhook-sending';
import { LIMITS } from '#contract/limits';
import { onStatement } from '#platform/database/statement-channel';
import { Settings } from '#platform/config/settings';
import { DatabaseServer } from '#platform/database/database-server';
import { buildEvent, type EventOptions } from '#testing/builders';
import { Feed } from '#testing/feed';
import { buildGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import { ServerProcess } from '#testing/server-process';
import { TestServer } from '#testing/test-server';
import { Receiver, type Received } from '#testing/webhook-receiver';
import { waitUntil } from '#testing/wait-until';

const MESSAGES = 30;

/** A TCP server that sends the bytes that a test defines. */
class RawServer {
  /** All connections so far. */
  connections = 0;
  openConnections = 0;
  private constructor(private readonly server: Server) {}

  static async open(respond: (socket: Socket) => void): Promise<RawServer> {
    const server = createServer((socket) => {
      raw.connections++;
      raw.openConnections++;
      socket.on('error', () => undefined).on('close', () => raw.openConnections--);
      socket.once('data', () => respond(socket));
    });
    const raw = new RawServer(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return raw;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.server.close();
  }
}

/** Sends `head`, and then the letter x without end, as fast as the client reads. */
function sendEndlessly(socket: Socket, head: string): void {
  socket.write(head);
  const more = (): void => {
    while (socket.writable && socket.write('x'.repeat(16_384)));
  };
  socket.on('drain', more);
  more();
}

describe('webhooks, while receivers and senders fail,', () => {
  let server: TestServer;
  let replica: TestServer;
  const closing: { close: () => unknown }[] = [];
  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true });
    replica = await TestServer.start({ webhooksAllowPrivate: true, databaseUrl: server.app.get(DatabaseServer).url });
  });
  afterAll(async () => {
    for (const one of closing.reverse()) await one.close();
    await replica.stop();
    await server.stop();
  });

  const closeLater = <T extends { close: () => void }>(one: T): T => {
    closing.push(one);
    return one;
  };
  const createWebhook = async (person: Person, url: string): Promise<string> =>
    (await person.api.post('/webhooks', { url, types: ['event.created'] })).body.data.id as string;
  /** Creates `count` events. The feed of changes gets one entry `event.created` for each event. */
  const createEvents = async (
    person: Person,
    count: number,
    options: EventOptions = {},
    eventServer = server,
  ): Promise<void> => {
    for (let n = 0; n < count; n++) await buildEvent(eventServer, person, options);
  };
  const labels = (entries: readonly { readonly type: string; readonly subject: { readonly id: string } }[]): string[] =>
    entries.map(({ type, subject }) => `${type} ${subject.id}`);
  let isSending = false;
  /** Starts sending on both servers. Repeated calls have no effect, so the tests can run in any order. */
  function startSending(): void {
    if (!isSending) for (const one of [server, replica]) one.app.get(WebhookSending).start();
    isSending = true;
  }

  // HOOK-6, HOOK-7, HOOK-9
  it('deliver messages in order with two senders, even if three of ten attempts fail and a third sender dies', async () => {
    // The clocks of these two servers jump, so the two servers share a separate database. In the database of the other
    // tests, the reservation of a webhook by another server would seem to be expired.
    const firstServer = await TestServer.start({ webhooksAllowPrivate: true });
    const { databaseUrl, appSecret, dataDir } = firstServer.app.get(Settings);
    const secondServer = await TestServer.start({ webhooksAllowPrivate: true, databaseUrl });
    const senders = [firstServer, secondServer];
    closing.push(...senders.map((sender) => ({ close: () => sender.stop() })));
    /** Moves the clocks past the time of the next attempt for the waiting message, unless a sender is sending. */
    const advanceClocks = async (): Promise<void> => {
      const [waiting] = await firstServer.sql<{ next: Date }>(
        `SELECT d.next_attempt_at AS next FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
          WHERE d.status = 'pending' AND w.busy_until IS NULL AND d.next_attempt_at > $1 AND d.attempts > 0`,
        [firstServer.clock.now()],
      );
      if (waiting) for (const { clock } of senders) clock.moveTo(new Date(waiting.next.getTime() + 1_000));
      await pause(20);
    };
    const jana = await firstServer.person('jana');
    const receiver = closeLater(await Receiver.open());
    const arrived: Received[] = [];
    // The fifth message gets no response until its sender is killed.
    let isHolding = true;
    receiver.answer = (response, message) => {
      const n = receiver.received.length;
      if (isHolding && n === 5) return;
      // Three of ten attempts fail: the connection ends without a response, or the response is 503.
      if (!isHolding && (n * 7) % 10 < 3)
        return void (n % 2 === 0 ? response.destroy() : response.writeHead(503).end());
      arrived.push(message);
      response.writeHead(204).end();
    };
    const feed = await Feed.of(jana);
    await createWebhook(jana, receiver.url);
    const killedServer = await ServerProcess.start({
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      APP_SECRET: appSecret,
      JOBS: 'on',
      WEBHOOKS_ALLOW_PRIVATE: 'on',
    });
    try {
      await createEvents(jana, MESSAGES, {}, firstServer);
      await receiver.atLeast(5);
    } finally {
      await killedServer.kill();
    }
    isHolding = false;
    // After 31 seconds, other servers may take the webhooks that the dead server had reserved for sending.
    for (const { clock } of senders) clock.forward(31_000);
    for (const { app } of senders) app.get(WebhookSending).start();
    await waitUntil(async () => {
      await advanceClocks();
      return arrived.length >= MESSAGES;
    }, 80);
    const entries = await feed.newEntries('&types=event.created');
    expect(labels(arrived.map(({ message }) => message.data))).toEqual(labels(entries));
    expect(arrived.map(({ message }) => message.previous)).toEqual([
      null,
      ...arrived.slice(0, -1).map(({ message }) => message.data.cursor),
    ]);
    // All attempts to send a message have the same id, and are made before the first attempt for the next message.
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
    expect(ids.filter((id, n) => id !== ids[n - 1])).toEqual(arrived.map(({ headers }) => headers['webhook-id']));
    expect(receiver.received.length).toBeGreaterThan(MESSAGES * 1.2);
    // The timeout is long, because the start of a `ServerProcess` is slow on a busy machine.
  }, 300_000);

  // HOOK-3, HOOK-6
  it('continue after a pause with a message whose `previous` is the cursor of the last sent message, so that a receiver can read the changes of the pause in the feed', async () => {
    const jana = await server.person('jana');
    const receiver = closeLater(await Receiver.open());
    const id = await createWebhook(jana, receiver.url);
    startSending();
    await createEvents(jana, 1);
    const [first] = await receiver.atLeast(1);
    await jana.api.patch(`/webhooks/${id}`, { status: 'paused' });
    await createEvents(jana, 5);
    await jana.api.patch(`/webhooks/${id}`, { status: 'active' });
    await createEvents(jana, 1);
    const [, second] = await receiver.atLeast(2);
    expect(second?.message.previous).toBe(first?.message.data.cursor);
    const { data } = (await jana.api.get(`/changes?cursor=${second?.message.previous}&types=event.created`)).body as {
      data: Received['message']['data'][];
    };
    expect(data).toHaveLength(6);
    expect(labels([data[5]!])).toEqual(labels([second!.message.data]));
  });

  // HOOK-7, HOOK-9, HOOK-11
  it('deliver to a working receiver while other receivers do not answer, close connections, or answer endlessly or incorrectly', async () => {
    const redirectTarget = closeLater(await Receiver.open());
    const working = closeLater(await Receiver.open());
    const silent = closeLater(await RawServer.open(() => undefined));
    const endless = closeLater(await RawServer.open((socket) => sendEndlessly(socket, 'HTTP/1.1 200 OK\r\n\r\n')));
    const endlessHeader = closeLater(
      await RawServer.open((socket) => sendEndlessly(socket, 'HTTP/1.1 200 OK\r\nx-more: ')),
    );
    const notHttp = closeLater(await RawServer.open((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    const truncated = closeLater(
      await RawServer.open((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nten bytes.')),
    );
    const redirecting = closeLater(
      await RawServer.open((socket) =>
        socket.end(`HTTP/1.1 307 Temporary Redirect\r\nlocation: ${redirectTarget.url}\r\ncontent-length: 0\r\n\r\n`),
      ),
    );
    const dead = await Receiver.open();
    const closedUrl = dead.url;
    dead.close();
    // The numbers in the expectations below are indexes in this list.
    const urls = [
      silent.url,
      endless.url,
      endlessHeader.url,
      notHttp.url,
      truncated.url,
      redirecting.url,
      closedUrl,
      working.url,
    ];
    const [jana, ...people] = (await Promise.all(
      ['jana', ...urls.map((_, n) => `p${n}`)].map((name) => server.person(name)),
    )) as [Person, ...Person[]];
    const group = await buildGroup(server, jana, { with: people.map((person) => [person, 'member']) });
    const visibleToMembers = { group: group.id, is_public: true };
    const feed = await Feed.of(people.at(-1)!);
    const ids = await Promise.all(people.map((person, n) => createWebhook(person, urls[n]!)));
    startSending();
    const deliveries = async (n: number) =>
      (await people[n]!.api.get(`/webhooks/${ids[n]}/deliveries?per_page=100`)).body.data as {
        status: string;
        attempts: number;
        last_status: number | null;
        last_ms: number | null;
      }[];

    // Wait until the receiver that never answers has got its first message.
    await createEvents(jana, 1, visibleToMembers);
    await waitUntil(() => silent.connections > 0);
    await createEvents(jana, 9, visibleToMembers);
    const received = await working.atLeast(10);
    expect(silent.connections).toBe(1);
    expect(await deliveries(0)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(labels(received.map(({ message }) => message.data))).toEqual(
      labels(await feed.newEntries('&types=event.created')),
    );

    // The status line is enough for success. The sender reads only a limited part of the body, and then disconnects.
    for (const n of [1, 4])
      await waitUntil(async () => (await deliveries(n)).filter(({ status }) => status === 'delivered').length >= 10);
    expect(endless.connections).toBe(10);
    await waitUntil(() => endless.openConnections === 0);
    const [longest] = await server.sql<{ most: number }>('SELECT max(length(answer)) AS most FROM webhook_deliveries');
    expect(longest?.most).toBe(LIMITS.webhooks.answer.kept);
    for (const [n, status] of [
      [2, null],
      [3, null],
      [5, 307],
      [6, null],
    ] as const) {
      await waitUntil(async () => (await deliveries(n))[0]?.attempts === 1);
      expect([n, await deliveries(n)]).toMatchObject([n, [{ status: 'pending', last_status: status }]]);
    }
    expect(redirectTarget.received).toEqual([]);
    // An attempt ends if no status line arrives within 10 seconds.
    await waitUntil(async () => (await deliveries(0))[0]?.attempts === 1);
    const [unanswered] = await deliveries(0);
    expect(unanswered).toMatchObject({ status: 'pending', last_status: null });
    expect(Math.round((unanswered?.last_ms ?? 0) / 2_000)).toBe(5);
  }, 60_000);
});

// HOOK-7
it('the senders of webhooks rarely query the database while no webhooks exist, but query it soon after each commit', async () => {
  const server = await TestServer.start();
  const jana = await server.person('jana');
  const queryTimes: number[] = [];
  const stopListening = onStatement(({ name }) => {
    if (name === 'webhooks_take_due') queryTimes.push(performance.now());
  });
  try {
    server.app.get(WebhookSending).start();
    await waitUntil(() => queryTimes.length > 0);
    const [first] = queryTimes as [number];
    await pause(2_500);
    expect(queryTimes.length).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - first) / 5_000));
    const before = queryTimes.length;
    await jana.api.post('/posts', { title: 'Co jsme pili', categories: ['mista'], body: 'Čaj.', status: 'published' });
    await waitUntil(() => queryTimes.length !== before);
    // Without the commit, the next query would come five seconds after the previous one.
    const [last, next] = queryTimes.slice(before - 1) as [number, number];
    expect(next - last).toBeLessThan(4_900);
  } finally {
    stopListening();
    await server.stop();
  }
});
