import { PushKeys } from '#areas/push/push-keys';
import { PushSending } from '#areas/push/push-sending';
import { rotateSecret } from '#platform/installation/rotation';
import { buildEvent } from '#testing/builders';
import { withClient } from '#testing/test-cluster';
import { createTestDatabase, type TestDatabase } from '#testing/test-database';
import { PushService, vapidOf } from '#testing/push-service';
import { PushSubscriber } from '#testing/push-subscriber';
import { TestServer } from '#testing/test-server';

const FIRST = 'the first secret of the push messages, long enough';
const SECOND = 'the second secret of the push messages, long enough';

/** Several servers share a database. Each test has its own database, because a database has only one APP_SECRET. */
describe('push messages of several servers', () => {
  let database: TestDatabase;
  let service: PushService;
  beforeAll(async () => {
    service = await PushService.open();
  });
  afterAll(() => service.close());

  const servers: TestServer[] = [];
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    await database.drop();
  });
  const start = async (appSecret: string) => {
    const shared = async () => ({ ...database, drop: async () => undefined });
    const server = await TestServer.start({ appSecret, webhooksAllowPrivate: true }, undefined, shared);
    servers.push(server);
    return server;
  };
  const invite = async (server: TestServer, { person }: PushSubscriber, title = 'Piknik') => {
    const org = await server.person('org');
    const { id } = await buildEvent(server, org, { title });
    await org.api.post(`/events/${id}/participants`, { user: person.slug });
  };

  // PUSH-6, PUSH-8
  it('use one pair of keys on all servers, are each sent by only one server, and are not sent to a banned account', async () => {
    const [one, two] = [await start(FIRST), await start(FIRST)];
    const keys = await Promise.all([one, two, one, two].map((server) => server.app.get(PushKeys).publicKey()));
    expect(new Set(keys).size).toBe(1);
    const jana = await PushSubscriber.open(one, 'jana');
    const browser = service.browser();
    await jana.subscribe(browser);
    for (const title of ['První', 'Druhá', 'Třetí']) await invite(one, jana, title);
    await Promise.all(servers.map((server) => server.app.get(PushSending).drain()));
    await one.app.get(PushSending).drain();
    expect(browser.receivedMessages.map((_, n) => browser.message(n).title.replace(/^.*: /, '')).sort()).toEqual([
      'Druhá',
      'První',
      'Třetí',
    ]);
    // The subscription looks as if a process had died after reserving it for sending.
    await invite(one, jana, 'Čtvrtá');
    const until = new Date(one.clock.now().getTime() + 30_000);
    await withClient(database.url, (client) => client.query('UPDATE push_subscriptions SET busy_until = $1', [until]));
    await two.app.get(PushSending).drain();
    expect(browser.receivedMessages).toHaveLength(3);
    two.clock.forward(31_000);
    await two.app.get(PushSending).drain();
    expect(browser.receivedMessages).toHaveLength(4);
    // The account is banned after the subscription was reserved and before the message is sent.
    await invite(one, jana, 'Pátá');
    await withClient(database.url, (client) =>
      client.query('UPDATE users SET banned = true WHERE id = $1', [jana.person.userId]),
    );
    const sending = two.app.get<unknown, { step(id: string, turn: object, until: Date): Promise<boolean> }>(
      PushSending,
    );
    const id = await withClient(database.url, async (client) => {
      const { rows } = await client.query<{ id: string }>('SELECT id FROM push_subscriptions');
      return rows[0]!.id;
    });
    expect(await sending.step(id, { isSlow: false, sent: 0 }, until)).toBe(false);
    expect(browser.receivedMessages).toHaveLength(4);
  });

  // PUSH-8
  it('use the same keys after a rotation of APP_SECRET, and new keys after the old secret was lost', async () => {
    let server = await start(FIRST);
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    await jana.subscribe(browser);
    const key = await server.app.get(PushKeys).publicKey();
    await rotateSecret(database.url, FIRST, SECOND);
    // A server that was not restarted after the rotation still returns the public key. Only servers with the new secret
    // send messages.
    expect(await server.app.get(PushKeys).publicKey()).toBe(key);
    server = await start(SECOND);
    await invite(server, jana);
    await server.app.get(PushSending).drain();
    expect(vapidOf(browser.receivedMessages[0]!).key).toBe(key);
    expect(browser.message().title).toContain('Piknik');
    await server.sql("UPDATE push_keys SET private_key_sealed = 'sealed under another secret'");
    const newKey = await server.app.get(PushKeys).publicKey();
    expect(newKey).not.toBe(key);
    expect(await server.app.get(PushKeys).publicKey()).toBe(newKey);
    expect(await server.sql('SELECT 1 FROM push_subscriptions')).toEqual([]);
  });
});
