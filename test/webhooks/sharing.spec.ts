import { Client } from 'pg';
import { NEXT_ATTEMPT, QUEUE, TAKE_DUE } from '#areas/webhooks/sending.query';
import { WebhookSending } from '#areas/webhooks/webhook-sending';
import { LIMITS } from '#contract/limits';
import { DatabaseServer } from '#platform/database/database-server';
import type { ReservedReceiver } from '#platform/changes/lane-sender';
import { buildEvent } from '#testing/builders';
import { NameServer } from '#testing/name-server';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';
import { Receiver } from '#testing/webhook-receiver';
import { waitUntil } from '#testing/wait-until';

const { shares, webhooks } = LIMITS;

/**
 * Messages are sent in two lanes, so that slow receivers do not delay quick ones. In each lane, an account has a share:
 * the maximum number of its webhooks that are served at the same time.
 */
describe('the lanes and shares for sending webhooks', () => {
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
  const createWebhook = async (person: Person, url: string): Promise<void> =>
    void (await person.api.post('/webhooks', { url, types: ['event.created'] }));
  const createEvents = async (person: Person, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await buildEvent(server, person);
  };
  const busyCount = async (person: Person, isSlow: boolean): Promise<number> => {
    const [row] = await server.sql<{ busy: number }>(
      'SELECT count(*)::int AS busy FROM webhooks WHERE user_id = $1 AND busy_until IS NOT NULL AND is_slow = $2',
      [person.userId, isSlow],
    );
    return row?.busy ?? 0;
  };

  /** Creates accounts with the maximum number of webhooks. Each webhook has a waiting message. */
  async function createAccounts(host: TestServer, count: number, isSlow: boolean): Promise<void> {
    await host.sql(
      `WITH made AS (
         INSERT INTO users (slug, name, verified, created_at, updated_at)
         SELECT 'lane-' || gen_random_uuid(), 'Lane', true, now(), now() FROM generate_series(1, $1) RETURNING id
       ), hooks AS (
         INSERT INTO webhooks (user_id, url, secret_sealed, position, is_slow, created_at, updated_at)
         SELECT made.id, 'http://127.0.0.1:1/', '', '', $3, now(), now() FROM made, generate_series(1, $2) RETURNING id
       )
       INSERT INTO webhook_deliveries (webhook_id, message_id, body, next_attempt_at, created_at)
       SELECT id, 'msg_' || id, '{}', now() - interval '1 minute', now() FROM hooks`,
      [count, webhooks.per_account, isSlow],
    );
  }
  const take = (host: TestServer, quick: number, slow: number): Promise<ReservedReceiver[]> => {
    const now = host.clock.now();
    const timeAfter = (ms: number) => new Date(now.getTime() + ms);
    return host.database.rows<ReservedReceiver>(TAKE_DUE, [now, timeAfter(30_000), quick, slow, timeAfter(-3_600_000)]);
  };
  const countsByLane = (taken: readonly ReservedReceiver[]) => [
    taken.filter(({ is_slow }) => !is_slow).length,
    taken.filter(({ is_slow }) => is_slow).length,
  ];

  // HOOK-16
  it('limit each account in each lane, and serve first the webhooks that have waited longest', async () => {
    // This server does not send, because sending would also reserve webhooks.
    const idleServer = await TestServer.start();
    await createAccounts(idleServer, 4, true);
    await createAccounts(idleServer, 3, false);
    // Quick webhooks are reserved even if many slow webhooks wait.
    expect(countsByLane(await take(idleServer, 5, 3))).toEqual([5, 3]);
    // No account gets more than its share. Webhooks that were reserved before also count towards the share.
    expect(countsByLane(await take(idleServer, 100, 50))).toEqual([
      3 * shares.webhooks.account - 5,
      4 * shares.slow_webhooks.account - 3,
    ]);
    expect(countsByLane(await take(idleServer, 100, 50))).toEqual([0, 0]);
    expect(
      await idleServer.sql(
        'SELECT count(*)::int AS taken FROM webhooks WHERE busy_until IS NOT NULL GROUP BY user_id, is_slow ORDER BY 1',
      ),
    ).toEqual([
      ...Array.from({ length: 4 }, () => ({ taken: shares.slow_webhooks.account })),
      ...Array.from({ length: 3 }, () => ({ taken: shares.webhooks.account })),
    ]);
    // In each lane, the webhook that has waited longest since it was last served comes first; its id does not matter.
    const [last] = await idleServer.sql<{ quick: string; slow: string }>(
      'SELECT max(id) FILTER (WHERE NOT is_slow) AS quick, max(id) FILTER (WHERE is_slow) AS slow FROM webhooks',
    );
    await idleServer.sql(
      `UPDATE webhooks SET busy_until = NULL,
                           served_at = now() - CASE WHEN id IN ($1, $2) THEN interval '1 hour' ELSE interval '0' END`,
      [last?.quick, last?.slow],
    );
    expect((await take(idleServer, 1, 1)).sort((one, other) => Number(one.is_slow) - Number(other.is_slow))).toEqual([
      { id: last?.quick, is_slow: false },
      { id: last?.slow, is_slow: true },
    ]);
    await idleServer.stop();
  });

  // HOOK-7, HOOK-16
  it('serve only webhooks that have something to send now and are allowed to send, and show operators the number of these webhooks', async () => {
    const idleServer = await TestServer.start();
    await buildEvent(idleServer, await idleServer.person('jana'));
    const [feed] = await idleServer.sql<{ last: string }>('SELECT number_changes() AS last');
    const now = idleServer.clock.now();
    const [past, future] = [new Date(now.getTime() - 60_000), new Date(now.getTime() + 60_000)];
    const [noneSeen, allSeen] = ['0', feed!.last];
    const waiting = { next_attempt_at: past };
    const [hourAgo, dayAgo] = [new Date(now.getTime() - 3_600_000), new Date(now.getTime() - 86_400_000)];
    const repeated = { next_attempt_at: hourAgo, is_asked: true, status: 'delivered' };
    const cases: [name: string, isTaken: boolean, owner: object, webhook: object, delivery?: object][] = [
      ['unread', true, {}, { seen_number: noneSeen, served_at: now }],
      ['all-read', false, {}, { seen_number: allSeen }],
      ['waiting', true, {}, { seen_number: allSeen, served_at: past }, waiting],
      ['waits-for-attempt', false, {}, { seen_number: noneSeen }, { next_attempt_at: future }],
      ['given-up', false, {}, { seen_number: allSeen }, { next_attempt_at: past, status: 'failed' }],
      ['paused', false, {}, { seen_number: noneSeen, status: 'paused' }, waiting],
      [
        'paused-and-waits-for-attempt',
        false,
        {},
        { seen_number: allSeen, status: 'paused' },
        { next_attempt_at: future },
      ],
      ['repeated-while-paused', true, {}, { seen_number: allSeen, status: 'paused', served_at: now }, repeated],
      ['reserved', false, {}, { seen_number: noneSeen, busy_until: future }],
      ['of-a-dead-process', true, {}, { seen_number: noneSeen, busy_until: past, served_at: now }],
      ['banned', false, { banned: true }, { seen_number: noneSeen }],
      ['banned-repeated', false, { banned: true }, { seen_number: noneSeen }, { ...repeated, next_attempt_at: dayAgo }],
      ['ban-ended', true, { banned: true, banned_until: past }, { seen_number: noneSeen, served_at: now }],
      ['without-premium', false, { verified: false }, { seen_number: noneSeen }, { next_attempt_at: dayAgo }],
      ['premium-ended', false, { verified: false, premium_until: past }, { seen_number: noneSeen }],
      ['premium', true, { verified: false, premium_until: future }, { seen_number: noneSeen, served_at: now }],
      ['admin', true, { verified: false, admin: true }, { seen_number: noneSeen, served_at: now }],
    ];
    const insert = (table: string, row: object) =>
      idleServer.sql<{ id: string }>(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
          .map((_, i) => `$${i + 1}`)
          .join(', ')}) RETURNING id`,
        Object.values(row),
      );
    const written = { created_at: past, updated_at: past };
    const addOwner = async (slug: string, fields: object = {}) =>
      (await insert('users', { slug, name: slug, verified: true, ...written, ...fields }))[0]!.id;
    const addHook = async (user_id: string, fields: object) =>
      (
        await insert('webhooks', { user_id, url: 'http://x', secret_sealed: '', position: '', ...written, ...fields })
      )[0]!.id;
    const addDelivery = (webhook_id: string, fields: object) =>
      insert('webhook_deliveries', { webhook_id, message_id: 'msg_x', body: '{}', created_at: past, ...fields });
    for (const [name, , owner, fields, delivery] of cases) {
      const id = await addHook(await addOwner(name, owner), fields);
      if (delivery) await addDelivery(id, delivery);
    }
    expect(await idleServer.database.rows(QUEUE, [now])).toEqual([
      // The time before a webhook was last served does not count as waiting time.
      { waiting: cases.filter(([, isTaken]) => isTaken).length, active: 1, retrying: 1, oldest: past },
    ]);
    // The next attempt is that of `repeated-while-paused`, because nothing is sent for owners who are banned or have no
    // Premium.
    expect(await idleServer.database.rows(NEXT_ATTEMPT, [now])).toEqual([{ is_used: true, next_attempt_at: hourAgo }]);
    const namesOf = async (taken: readonly ReservedReceiver[]) =>
      (
        await idleServer.sql<{ slug: string }>(
          'SELECT u.slug FROM webhooks w JOIN users u ON u.id = w.user_id WHERE w.id = ANY($1) ORDER BY w.id',
          [taken.map(({ id }) => id)],
        )
      ).map(({ slug }) => slug);
    // Of the webhooks that were served before, the webhook that has waited longest comes first.
    expect(await namesOf(await take(idleServer, 1, 1))).toEqual(['waiting']);
    // A webhook that was never served comes before all others.
    await addHook(await addOwner('new'), { seen_number: noneSeen });
    expect(await namesOf(await take(idleServer, 1, 1))).toEqual(['new']);
    expect(await namesOf(await take(idleServer, 100, 50))).toEqual(
      cases.flatMap(([name, isTaken]) => (isTaken && name !== 'waiting' ? [name] : [])),
    );

    // An account has a separate share in each of the two lanes.
    const [eva, otto] = [await addOwner('eva'), await addOwner('otto')];
    const addHooks = async (userId: string, count: number, fields: object) => {
      for (let n = 0; n < count; n++) await addHook(userId, { seen_number: noneSeen, ...fields });
    };
    await addHooks(eva, shares.slow_webhooks.account, { is_slow: true, busy_until: future });
    await addHooks(eva, shares.webhooks.account + 1, {});
    await addHooks(otto, shares.slow_webhooks.account + 1, { is_slow: true });
    await addHooks(otto, shares.webhooks.account + 1, {});
    // A row that another process is reserving at this moment is skipped.
    const other = new Client({ connectionString: idleServer.app.get(DatabaseServer).url });
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM webhooks WHERE id = (SELECT min(id) FROM webhooks WHERE user_id = $1) FOR UPDATE', [
      otto,
    ]);
    expect(countsByLane(await take(idleServer, 100, 50))).toEqual([
      2 * shares.webhooks.account,
      shares.slow_webhooks.account - 1,
    ]);
    await other.end();
    await idleServer.stop();
  });

  // HOOK-16
  it('limit how many webhooks of an account are served at the same time', async () => {
    const jana = await server.person('jana');
    const all = await Promise.all(Array.from({ length: webhooks.per_account }, () => openReceiver()));
    for (const receiver of all)
      receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 400);
    for (const receiver of all) await createWebhook(jana, receiver.url);
    const messages = 10;
    await createEvents(jana, messages);
    let maxBusy = 0;
    await waitUntil(async () => {
      maxBusy = Math.max(maxBusy, await busyCount(jana, false));
      return all.every(({ received }) => received.length > 0);
    });
    expect(maxBusy).toBe(shares.webhooks.account);
    // The last webhook is served before any other webhook has sent all its messages.
    expect(all.every(({ received }) => received.length < messages)).toBe(true);
    for (const receiver of all) receiver.answer = (response) => void response.writeHead(204).end();
    for (const receiver of all) await receiver.atLeast(messages);
  }, 60_000);

  // HOOK-15, HOOK-16
  it('move a webhook to the slow lane if its receiver sends the bodies of its responses slowly, and back when the receiver is quick again', async () => {
    const petr = await server.person('petr');
    const receiver = await openReceiver();
    receiver.answer = (response) => {
      response.writeHead(200).write('x');
      setTimeout(() => response.end(), webhooks.slow * 1000 + 100);
    };
    await createWebhook(petr, receiver.url);
    await createEvents(petr, 3);
    await receiver.atLeast(3);
    expect([await busyCount(petr, false), await busyCount(petr, true)]).toEqual([0, 1]);
    receiver.answer = (response) => void response.writeHead(204).end();
    await createEvents(petr, 2);
    await receiver.atLeast(5);
    await waitUntil(
      async () => (await server.sql('SELECT FROM webhooks WHERE user_id = $1 AND is_slow', [petr.userId])).length === 0,
    );
    expect(
      await server.sql(
        `SELECT d.status FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
          WHERE w.user_id = $1 GROUP BY d.status`,
        [petr.userId],
      ),
    ).toEqual([{ status: 'delivered' }]);
  }, 60_000);

  // HOOK-11, HOOK-14, LIM-16
  it('refuse a new webhook while too many host names of its account wait for a silent nameserver, but accept webhooks of other accounts', async () => {
    const credentials = { email: 'mallory@example.org', password: 'correct horse' };
    const [mallory, eva] = [await server.person('mallory', credentials), await server.person('eva')];
    const visitor = new Visitor(server);
    await visitor.submit('/sign-in', credentials);
    const receiver = await openReceiver();
    const urlWithHostName = receiver.url.replace('127.0.0.1', 'good.example.org');
    await createWebhook(mallory, urlWithHostName);
    // The lookups in progress, and the lookups that may wait.
    const maxLookups = shares.names.account + webhooks.per_account;
    const unresolved = Array.from({ length: maxLookups }, (_, n) =>
      mallory.api.post('/webhooks', { url: `http://n${n}.silent.example.org/` }),
    );
    let remaining = unresolved.length;
    for (const one of unresolved) void one.then(() => remaining--);
    await waitUntil(() => nameServer.unanswered.size >= shares.names.account);
    await createWebhook(eva, urlWithHostName);
    await createEvents(eva, 1);
    await receiver.atLeast(1);
    expect([remaining, nameServer.unanswered.size]).toEqual([maxLookups, shares.names.account]);
    const refused = await mallory.api.post('/webhooks', { url: urlWithHostName });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // HOOK-13: the page shows this error at the field of the address, and keeps the typed values.
    const typed = { url: `${urlWithHostName}?typed`, description: 'napsáno' };
    const page = await visitor.submit('/account/api/webhooks', typed);
    expect([page.status, Number(page.headers.get('retry-after')) > 0]).toEqual([429, true]);
    for (const value of Object.values(typed)) expect(page.html).toContain(`value="${value}"`);
    expect(page.html).toContain('id="url-error"');
    // A message of Mallory’s account is attempted again later, as after any failure. `answer` contains the reason.
    await createEvents(mallory, 1);
    const attempts = () =>
      server.sql(
        `SELECT d.status, d.attempts, d.last_status, d.answer FROM webhook_deliveries d
           JOIN webhooks w ON w.id = d.webhook_id WHERE w.user_id = $1 AND d.attempts > 0`,
        [mallory.userId],
      );
    await waitUntil(async () => (await attempts()).length > 0);
    const answer = 'the host name was not resolved, because too many other host names are being resolved';
    expect(await attempts()).toEqual([{ status: 'pending', attempts: 1, last_status: null, answer }]);
    nameServer.startAnswering();
    expect((await Promise.all(unresolved)).map(({ status }) => status)).toEqual(unresolved.map(() => 422));
    expect((await mallory.api.post('/webhooks', { url: urlWithHostName })).status).toBe(201);
  }, 60_000);
});
