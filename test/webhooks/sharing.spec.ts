import { setTimeout as pause } from 'node:timers/promises';
import { TAKE_DUE } from '#areas/webhooks/sending.query';
import { WebhookSending } from '#areas/webhooks/webhook-sending';
import { LIMITS } from '#contract/limits';
import type { ReservedReceiver } from '#platform/changes/lane-sender';
import { buildEvent } from '#testing/builders';
import { NameServer } from '#testing/name-server';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Receiver } from '#testing/webhook-receiver';

const { shares, webhooks } = LIMITS;

/**
 * Messages are sent in two lanes, so that slow receivers do not delay quick ones. In each lane, an account has a share:
 * the maximum number of its webhooks that are served at the same time.
 */
describe('shares of accounts in sending webhooks', () => {
  let server: TestServer;
  let nameServer: NameServer;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    nameServer = await NameServer.open('good.example.org');
    server = await TestServer.start({ webhooksAllowPrivate: true, nameservers: [nameServer.address] });
    server.app.get(WebhookSending).start();
  });
  afterAll(async () => {
    for (const receiver of receivers) receiver.close();
    await server.stop();
    nameServer.close();
  });

  async function openReceiver(): Promise<Receiver> {
    const receiver = await Receiver.open();
    receivers.push(receiver);
    return receiver;
  }
  const hook = async (person: Person, url: string): Promise<void> =>
    void (await person.api.post('/webhooks', { url, types: ['event.created'] }));
  const write = async (person: Person, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await buildEvent(server, person);
  };
  const busyCount = async (person: Person, isSlow: boolean): Promise<number> => {
    const [row] = await server.sql<{ busy: number }>(
      'SELECT count(*)::int AS busy FROM webhooks WHERE user_id = $1 AND busy_until IS NOT NULL AND is_slow = $2',
      [person.userId, isSlow],
    );
    return row?.busy ?? 0;
  };

  /** Creates accounts with the maximum number of webhooks, each with a waiting message. */
  async function createAccounts(host: TestServer, count: number, isSlow: boolean): Promise<void> {
    await host.sql(
      `WITH made AS (INSERT INTO users (slug, name, verified, created_at, updated_at) SELECT 'lane-' || gen_random_uuid(), 'Lane', true, now(), now() FROM generate_series(1, $1) RETURNING id),
            hooks AS (INSERT INTO webhooks (user_id, url, secret_sealed, position, is_slow, created_at, updated_at)
                      SELECT made.id, 'http://127.0.0.1:1/', '', '', $3, now(), now() FROM made, generate_series(1, $2) RETURNING id)
       INSERT INTO webhook_deliveries (webhook_id, message_id, body, next_attempt_at, created_at) SELECT id, 'msg_' || id, '{}', now() - interval '1 minute', now() FROM hooks`,
      [count, webhooks.per_account, isSlow],
    );
  }
  const take = (host: TestServer, quick: number, slow: number): Promise<ReservedReceiver[]> => {
    const now = host.clock.now();
    const later = (ms: number) => new Date(now.getTime() + ms);
    return host.database.rows<ReservedReceiver>(TAKE_DUE, [now, later(30_000), quick, slow]);
  };
  const lanes = (taken: readonly ReservedReceiver[]) => [
    taken.filter(({ is_slow }) => !is_slow).length,
    taken.filter(({ is_slow }) => is_slow).length,
  ];

  // HOOK-16
  it('apply to both lanes and to each account, and the webhooks that have waited longest are served first', async () => {
    // This server does not send, because sending would also reserve webhooks.
    const quiet = await TestServer.start();
    await createAccounts(quiet, 4, true);
    await createAccounts(quiet, 3, false);
    // Quick webhooks are reserved, however many slow webhooks wait.
    expect(lanes(await take(quiet, 5, 3))).toEqual([5, 3]);
    // No account gets more than its share. Webhooks that were reserved before also count towards the share.
    expect(lanes(await take(quiet, 100, 50))).toEqual([
      3 * shares.webhooks.account - 5,
      4 * shares.slow_webhooks.account - 3,
    ]);
    expect(lanes(await take(quiet, 100, 50))).toEqual([0, 0]);
    expect(
      await quiet.sql(
        'SELECT count(*)::int AS taken FROM webhooks WHERE busy_until IS NOT NULL GROUP BY user_id, is_slow ORDER BY 1',
      ),
    ).toEqual([
      ...Array.from({ length: 4 }, () => ({ taken: shares.slow_webhooks.account })),
      ...Array.from({ length: 3 }, () => ({ taken: shares.webhooks.account })),
    ]);
    // In each lane, the webhook that has not been served for the longest time is first, independent of its id.
    const [last] = await quiet.sql<{ quick: string; slow: string }>(
      'SELECT max(id) FILTER (WHERE NOT is_slow) AS quick, max(id) FILTER (WHERE is_slow) AS slow FROM webhooks',
    );
    await quiet.sql(
      `UPDATE webhooks SET busy_until = NULL, served_at = now() - CASE WHEN id IN ($1, $2) THEN interval '1 hour' ELSE interval '0' END`,
      [last?.quick, last?.slow],
    );
    expect((await take(quiet, 1, 1)).sort((one, other) => Number(one.is_slow) - Number(other.is_slow))).toEqual([
      { id: last?.quick, is_slow: false },
      { id: last?.slow, is_slow: true },
    ]);
    await quiet.stop();
  });

  // HOOK-16
  it('limit how many webhooks of an account are served at the same time, so that its webhooks take turns', async () => {
    const jana = await server.person('jana');
    const all = await Promise.all(Array.from({ length: webhooks.per_account }, () => openReceiver()));
    for (const receiver of all)
      receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 400);
    for (const receiver of all) await hook(jana, receiver.url);
    const messages = 10;
    await write(jana, messages);
    let maxBusy = 0;
    while (all.some(({ received }) => received.length === 0)) {
      maxBusy = Math.max(maxBusy, await busyCount(jana, false));
      await pause(20);
    }
    expect(maxBusy).toBe(shares.webhooks.account);
    // The last webhook gets its turn before any other webhook has sent all its messages.
    expect(all.every(({ received }) => received.length < messages)).toBe(true);
    for (const receiver of all) receiver.answer = (response) => void response.writeHead(204).end();
    for (const receiver of all) await receiver.atLeast(messages);
  }, 60_000);

  // HOOK-15, HOOK-16
  it('move a webhook to the slow lane while its receiver answers immediately but sends the body slowly', async () => {
    const petr = await server.person('petr');
    const receiver = await openReceiver();
    receiver.answer = (response) => void response.writeHead(200).write('x');
    await hook(petr, receiver.url);
    await write(petr, 3);
    await receiver.atLeast(3);
    expect([await busyCount(petr, false), await busyCount(petr, true)]).toEqual([0, 1]);
    receiver.answer = (response) => void response.writeHead(204).end();
    await write(petr, 2);
    await receiver.atLeast(5);
    while ((await server.sql('SELECT FROM webhooks WHERE user_id = $1 AND is_slow', [petr.userId])).length > 0)
      await pause(20);
    expect(
      await server.sql(
        'SELECT d.status FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE w.user_id = $1 GROUP BY d.status',
        [petr.userId],
      ),
    ).toEqual([{ status: 'delivered' }]);
  }, 60_000);

  // HOOK-14, LIM-16
  it('refuse further webhooks of an account while its host names wait for a silent name server, but accept webhooks of other accounts', async () => {
    const { mallory, eva } = await server.people('mallory', 'eva');
    const receiver = await openReceiver();
    const share = shares.names.account + webhooks.per_account;
    const unresolved = Array.from({ length: share }, (_, n) =>
      mallory.api.post('/webhooks', { url: `http://n${n}.silent.example.org/` }),
    );
    let remaining = unresolved.length;
    for (const one of unresolved) void one.then(() => remaining--);
    while (nameServer.unanswered.size < shares.names.account) await pause(10);
    const named = receiver.url.replace('127.0.0.1', 'good.example.org');
    await hook(eva, named);
    await write(eva, 1);
    await receiver.atLeast(1);
    expect([remaining, nameServer.unanswered.size]).toEqual([share, shares.names.account]);
    const refused = await mallory.api.post('/webhooks', { url: named });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    nameServer.startAnswering();
    expect((await Promise.all(unresolved)).map(({ status }) => status)).toEqual(unresolved.map(() => 422));
    expect((await mallory.api.post('/webhooks', { url: named })).status).toBe(201);
  }, 60_000);
});
