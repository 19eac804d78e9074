import { setTimeout as pause } from 'node:timers/promises';
import { ChangesReader } from '#areas/changes/changes.reader';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { WebhookSending } from '#areas/webhooks/webhook-sending';
import { DatabaseServer } from '#platform/database/database-server';
import { LIMITS } from '#contract/limits';
import { buildEvent } from '#testing/builders';
import { EventStream } from '#testing/event-stream';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Receiver } from '#testing/webhook-receiver';

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly change: { readonly type: string; readonly subject: { readonly id: string } };
}

/** The server does not send by itself. A test calls `send` to send all messages that are due. */
describe('webhooks (whose messages are sent only when the test calls `send`)', () => {
  let server: TestServer;
  let jana: Person;
  let receiver: Receiver;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true });
  });
  beforeEach(async () => {
    jana = await server.person('jana');
    receiver = await Receiver.open();
    receivers.push(receiver);
  });
  afterAll(async () => {
    for (const one of receivers) one.close();
    await server.stop();
  });

  const send = () => server.app.get(WebhookSending).drain();
  const answer = (status: number): void => {
    receiver.answer = (response) => void response.writeHead(status).end();
  };
  const createWebhook = async (fields: object = { types: ['event.created'] }) =>
    (await jana.api.post('/webhooks', { url: receiver.url, ...fields })).body.data.id as string;
  const webhook = async (id: string) => (await jana.api.get(`/webhooks/${id}`)).body.data;
  const deliveries = async (id: string) =>
    (await jana.api.get(`/webhooks/${id}/deliveries`)).body.data as readonly Delivery[];
  const retry = async (id: string, delivery: Delivery | undefined) => {
    expect((await jana.api.post(`/webhooks/${id}/deliveries/${delivery?.id}/retry`)).status).toBe(202);
  };
  const pauseNotices = async () =>
    ((await jana.api.get('/notices')).body.data as { kind: string }[]).filter(({ kind }) => kind === 'webhook_paused');
  const subjects = () => receiver.received.map(({ message }) => message.data.subject.id);

  // HOOK-3, HOOK-5, HOOK-8
  it('send a message that their owner requests while they are paused, but send no other waiting message', async () => {
    const id = await createWebhook();
    const event = await buildEvent(server, jana);
    answer(500);
    await send();
    await jana.api.patch(`/webhooks/${id}`, { status: 'paused' });
    server.clock.forward(5_000);
    answer(204);
    await jana.api.post(`/webhooks/${id}/test`);
    await send();
    expect(subjects()).toEqual([event.id, id]);
    const [, waiting] = await deliveries(id);
    expect(waiting).toMatchObject({ status: 'pending', attempts: 1, last_status: 500 });
    await retry(id, waiting);
    await send();
    expect(subjects()).toEqual([event.id, id, event.id]);
    expect(await deliveries(id)).toMatchObject([
      { status: 'delivered', attempts: 1 },
      { status: 'delivered', attempts: 2, next_attempt_at: null, last_ms: expect.any(Number) },
    ]);
  });

  // HOOK-3, HOOK-5
  it('send a test message that was requested while they were paused, even if they were activated before the sending', async () => {
    const id = await createWebhook();
    await jana.api.patch(`/webhooks/${id}`, { status: 'paused' });
    await jana.api.post(`/webhooks/${id}/test`);
    await jana.api.patch(`/webhooks/${id}`, { status: 'active' });
    expect(await deliveries(id)).toMatchObject([{ status: 'pending', next_attempt_at: expect.any(String) }]);
    await send();
    expect(subjects()).toEqual([id]);
  });

  // HOOK-8, HOOK-10
  it('are not paused twice, and stay active if the owner repeats a failed message and it fails again', async () => {
    const id = await createWebhook();
    const { updated_at } = await webhook(id);
    await buildEvent(server, jana);
    answer(410);
    server.clock.forward(1_000);
    await send();
    expect(await webhook(id)).toMatchObject({ status: 'paused', updated_at: expect.not.stringMatching(updated_at) });
    expect(await pauseNotices()).toHaveLength(1);
    // HOOK-10: a paused webhook is not paused again, so there is no second notice.
    await jana.api.post(`/webhooks/${id}/test`);
    await send();
    expect(await pauseNotices()).toHaveLength(1);
    await jana.api.patch(`/webhooks/${id}`, { status: 'active' });
    answer(500);
    const failed = (await deliveries(id))[1];
    await retry(id, failed);
    await send();
    expect((await deliveries(id))[1]).toMatchObject({ status: 'failed', attempts: 2, next_attempt_at: null });
    expect([(await webhook(id)).status, await pauseNotices()]).toEqual(['active', [expect.anything()]]);
    answer(204);
    await retry(id, failed);
    await send();
    expect((await deliveries(id))[1]).toMatchObject({ id: failed?.id, status: 'delivered', attempts: 3 });
  });

  // HOOK-10
  it('are paused with a notice when the receiver answers 410 to a repeated message that was delivered before', async () => {
    const id = await createWebhook();
    await buildEvent(server, jana);
    await send();
    answer(410);
    await retry(id, (await deliveries(id))[0]);
    await send();
    expect([(await webhook(id)).status, (await pauseNotices()).length]).toEqual(['paused', 1]);
  });

  // HOOK-8, HOOK-9
  it('stay active if a waiting message fails again after the owner has requested a retry', async () => {
    const id = await createWebhook();
    await buildEvent(server, jana);
    answer(500);
    await send();
    await retry(id, (await deliveries(id))[0]);
    await send();
    expect(await deliveries(id)).toMatchObject([
      { status: 'pending', attempts: 2, next_attempt_at: expect.any(String) },
    ]);
    expect((await webhook(id)).status).toBe('active');
    answer(204);
    server.clock.forward(60_000);
    await send();
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 3 }]);
  });

  // HOOK-3, HOOK-6
  it.each([
    ['the only waiting change', 1],
    ['the first of three waiting changes', 3],
  ])(
    'skip changes made before their latest activation, even if they are paused and activated while %s is being sent',
    async (_, count) => {
      const id = await createWebhook();
      const events = [];
      for (let n = 0; n < count; n++) events.push(await buildEvent(server, jana));
      receiver.answer = (response) =>
        void (async () => {
          if (receiver.received.length === 1) {
            await jana.api.patch(`/webhooks/${id}`, { status: 'paused' });
            await buildEvent(server, jana);
            await jana.api.patch(`/webhooks/${id}`, { status: 'active' });
          }
          response.writeHead(204).end();
        })();
      await send();
      const later = await buildEvent(server, jana);
      await send();
      expect(subjects()).toEqual([events[0]?.id, later.id]);
      expect(receiver.received[1]?.message.previous).toBe(receiver.received[0]?.message.data.cursor);
      expect(await deliveries(id)).toHaveLength(2);
    },
  );

  // HOOK-3
  it.each(['paused', 'deleted'])('send no further change if they are %s while a change is being sent', async (how) => {
    const id = await createWebhook();
    for (let n = 0; n < 3; n++) await buildEvent(server, jana);
    receiver.answer = (response) =>
      void (async () => {
        if (how === 'paused') await jana.api.patch(`/webhooks/${id}`, { status: 'paused' });
        else await jana.api.delete(`/webhooks/${id}`);
        response.writeHead(204).end();
      })();
    await send();
    await send();
    expect(receiver.received).toHaveLength(1);
  });

  /** Does something before the receiver's response with this status. */
  const before = (status: number, work: () => Promise<unknown>): void => {
    receiver.answer = (response) => {
      receiver.answer = (later) => void later.writeHead(204).end();
      void work().then(() => response.writeHead(status).end());
    };
  };
  /** Fails once, so that the next attempt, which is then due, is the last one (HOOK-9). */
  const failUntilLastAttempt = async () => {
    answer(500);
    await send();
    await server.sql(
      `UPDATE webhook_deliveries SET first_attempt_at = now() - interval '30 days' FROM webhooks w WHERE w.id = webhook_id AND w.user_id = $1`,
      [jana.userId],
    );
    server.clock.forward(5_000);
  };

  // HOOK-8
  it('make the attempt that their owner requests while another attempt fails', async () => {
    const id = await createWebhook();
    const event = await buildEvent(server, jana);
    before(500, async () => retry(id, (await deliveries(id))[0]));
    await send();
    expect(subjects()).toEqual([event.id, event.id]);
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  // HOOK-3, HOOK-10
  it.each([
    ['a 410', 410],
    ['the last failure', 500],
  ])('stay active after %s of an address that their owner has replaced meanwhile', async (_, status) => {
    const id = await createWebhook();
    await buildEvent(server, jana);
    await failUntilLastAttempt();
    before(status, async () => {
      expect((await jana.api.patch(`/webhooks/${id}`, { url: `${receiver.url}/new` })).status).toBe(200);
    });
    await send();
    expect([(await webhook(id)).status, await pauseNotices()]).toEqual(['active', []]);
    expect(await deliveries(id)).toMatchObject([{ status: 'failed', attempts: 2, next_attempt_at: null }]);
  });

  // HOOK-3
  it.each([
    ['a failure', 1],
    ['the last failure', 2],
  ])('stay active, and do not retry, after %s of a message that an activation has given up', async (_, attempts) => {
    const id = await createWebhook();
    await buildEvent(server, jana);
    if (attempts === 2) await failUntilLastAttempt();
    before(500, async () => {
      for (const status of ['paused', 'active']) await jana.api.patch(`/webhooks/${id}`, { status });
    });
    await send();
    server.clock.forward(60_000);
    await send();
    expect(receiver.received).toHaveLength(attempts);
    expect(await deliveries(id)).toMatchObject([{ status: 'failed', attempts, next_attempt_at: null }]);
    expect([(await webhook(id)).status, await pauseNotices()]).toEqual(['active', []]);
  });

  // HOOK-16
  it('send nothing more, and keep the reservation of another process, after their own reservation has expired', async () => {
    await createWebhook();
    for (let n = 0; n < 3; n++) await buildEvent(server, jana);
    const until = new Date(server.clock.now().getTime() + 60_000);
    before(204, () => server.sql('UPDATE webhooks SET busy_until = $2 WHERE user_id = $1', [jana.userId, until]));
    await send();
    expect(receiver.received).toHaveLength(1);
    expect(await server.sql('SELECT busy_until FROM webhooks WHERE user_id = $1', [jana.userId])).toEqual([
      { busy_until: until },
    ]);
  });

  // DATA-19
  it('store no message about a person who is erased between reading the change and storing the message', async () => {
    const petr = await server.person('petr');
    const id = await createWebhook({ types: ['participant.joined'] });
    const event = await buildEvent(server, jana);
    expect((await petr.api.post(`/events/${event.id}/join`)).status).toBe(200);
    const changes = server.app.get(ChangesReader);
    const after = changes.after.bind(changes);
    let isErased = false;
    // Other tests of this file leave webhooks of other people, whose turns read changes too.
    const reading = jest.spyOn(changes, 'after').mockImplementation(async (viewer, ...query) => {
      const found = await after(viewer, ...query);
      if (viewer.id === jana.userId && !isErased) {
        isErased = true;
        await server.app.get(OwnDataCommands).erase(petr.slug);
      }
      return found;
    });
    await send();
    reading.mockRestore();
    expect(isErased).toBe(true);
    await send();
    expect(JSON.stringify(receiver.received)).not.toContain(petr.slug);
    expect(JSON.stringify(await deliveries(id))).not.toContain(petr.slug);
  });

  // HOOK-7
  it('send nothing while their owner is banned; after the ban, send the messages that the owner requested before the ban', async () => {
    const id = await createWebhook();
    for (let n = 0; n < 2; n++) await buildEvent(server, jana);
    await send();
    for (const delivery of await deliveries(id)) await retry(id, delivery);
    receiver.answer = (response) =>
      void server
        .sql('UPDATE users SET banned = true WHERE id = $1', [jana.userId])
        .then(() => response.writeHead(204).end());
    await send();
    expect(receiver.received).toHaveLength(3);
    await server.sql('UPDATE users SET banned = false WHERE id = $1', [jana.userId]);
    answer(204);
    await send();
    // The oldest message is repeated first.
    expect(subjects().slice(2)).toEqual(subjects().slice(0, 2));
  });

  // HOOK-5, HOOK-6
  it('send test messages without causing a gap for a receiver that compares `previous` with the last cursor', async () => {
    const id = await createWebhook();
    const test = () => jana.api.post(`/webhooks/${id}/test`);
    const event = () => buildEvent(server, jana);
    const status = (wanted: string) => jana.api.patch(`/webhooks/${id}`, { status: wanted });
    const steps = [
      test,
      test,
      event,
      test,
      test,
      event,
      () => status('paused'),
      test,
      () => status('active'),
      event,
      test,
      event,
    ];
    for (const step of steps) {
      await step();
      await send();
    }
    const messages = receiver.received.map(({ message }) => message);
    expect(messages).toHaveLength(10);
    expect(messages.map(({ previous }) => previous)).toEqual([
      null,
      ...messages.slice(0, -1).map(({ data }) => data.cursor),
    ]);
  });

  // HOOK-5, HOOK-6
  it('send test messages with a cursor before the change that waits for its next attempt', async () => {
    const id = await createWebhook();
    for (const isFirst of [true, false]) {
      const { id: waiting } = await buildEvent(server, jana);
      answer(500);
      await send();
      answer(204);
      await jana.api.post(`/webhooks/${id}/test`);
      await send();
      server.clock.forward(5_000);
      await send();
      const [test, repeated] = receiver.received.slice(-2).map(({ message }) => message);
      expect([test?.type, repeated?.data.subject.id]).toEqual(['webhook.test', waiting]);
      if (!isFirst) expect([test?.previous, repeated?.previous]).toEqual([test?.data.cursor, test?.data.cursor]);
      const { data } = (await jana.api.get(`/changes?types=event.created&cursor=${test?.data.cursor}`)).body;
      expect(data).toMatchObject([{ subject: { id: waiting } }]);
    }
  });

  // HOOK-5, HOOK-6
  it('send test messages with the cursor of the last change; the field `previous` of later messages ignores test messages', async () => {
    const id = await createWebhook();
    await buildEvent(server, jana);
    await send();
    expect((await jana.api.post(`/webhooks/${id}/test`)).body.data.change).toEqual({
      id: null,
      cursor: expect.any(String),
      at: expect.any(String),
      type: 'webhook.test',
      subject: {
        type: 'webhook',
        id,
        url: expect.stringMatching(new RegExp(`/api/v1/webhooks/${id}$`)),
        event: null,
        group: null,
        post: null,
        user: null,
      },
      by: null,
    });
    await send();
    await buildEvent(server, jana);
    await send();
    const [first, test, second] = receiver.received;
    expect([test?.message.previous, second?.message.previous]).toEqual([
      first?.message.data.cursor,
      first?.message.data.cursor,
    ]);
    expect((await jana.api.get(`/changes?types=event.created&cursor=${test?.message.data.cursor}`)).body.data).toEqual([
      expect.objectContaining({ subject: expect.objectContaining({ id: second?.message.data.subject.id }) }),
    ]);
    for (const { headers } of receiver.received) expect(headers['content-type']).toBe('application/json');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  });

  // HOOK-3
  it('skip all changes until now if the feed no longer contains the last change that they have sent, and then send later changes', async () => {
    await createWebhook();
    await server.sql(`UPDATE webhooks SET position = 'expired' WHERE user_id = $1`, [jana.userId]);
    await buildEvent(server, jana);
    await send();
    expect(subjects()).toEqual([]);
    const later = await buildEvent(server, jana);
    await send();
    expect(subjects()).toEqual([later.id]);
  });

  // CHG-12, HOOK-7
  it('send the next change even if there were no changes for longer than changes are stored; open streams send it too', async () => {
    const changesKeepSeconds = 6;
    const idle = await TestServer.start({
      databaseUrl: server.app.get(DatabaseServer).url,
      webhooksAllowPrivate: true,
      changesKeepSeconds,
    });
    const { id } = (await clientOf(idle, jana.token).post('/webhooks', { url: receiver.url })).body.data;
    const stream = await EventStream.open(jana, '', {}, idle.origin);
    try {
      const sendByIdle = () => idle.app.get(WebhookSending).drain();
      const end = performance.now() + (changesKeepSeconds + 1) * 1000;
      while (performance.now() < end) {
        await sendByIdle();
        await pause(500);
      }
      const event = await buildEvent(server, jana);
      await sendByIdle();
      expect(subjects()).toEqual([event.id]);
      await stream.until(({ entries }) => entries.length > 0);
      expect([stream.entries.map(({ subject }) => subject.id), (await webhook(id as string)).status]).toEqual([
        [event.id],
        'active',
      ]);
    } finally {
      stream.close();
      await idle.stop();
    }
  });

  // HOOK-8
  it('have a list of deliveries in pages, newest first; the job webhooks-sweep deletes each delivery after 30 days', async () => {
    const id = await createWebhook();
    const events = [await buildEvent(server, jana), await buildEvent(server, jana), await buildEvent(server, jana)];
    await send();
    const { data, meta } = (await jana.api.get(`/webhooks/${id}/deliveries?per_page=2&page=2`)).body;
    expect(data).toMatchObject([{ change: { subject: { id: events[0]?.id } } }]);
    expect(meta).toMatchObject({ total: 3, current_page: 2 });
    for (const [milliseconds, left] of [
      [LIMITS.webhooks.deliveries_kept * 1000 - 60_000, 3],
      [60_000, 0],
    ] as const) {
      server.clock.forward(milliseconds);
      await server.job('webhooks-sweep');
      expect(
        await server.sql(
          'SELECT FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE w.user_id = $1',
          [jana.userId],
        ),
      ).toHaveLength(left);
    }
  });

  // HOOK-1, HOOK-3, HOOK-4
  it('are listed in pages, the oldest first, and accept only valid fields from their owner', async () => {
    const petr = await server.person('petr');
    const ids = [
      await createWebhook(),
      await createWebhook({ description: 'x'.repeat(LIMITS.webhooks.description.max) }),
      await createWebhook(),
    ];
    const pages = await Promise.all([1, 2].map((page) => jana.api.get(`/webhooks?per_page=2&page=${page}`)));
    expect(pages.map(({ body }) => (body.data as { id: string }[]).map((one) => one.id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2),
    ]);
    expect(pages.map(({ body }) => body.meta.total)).toEqual([3, 3]);
    const at = `/webhooks/${ids[0]}`;
    for (const [field, value] of [
      ['types', []],
      ['types', 'event.created'],
      ['description', 'x'.repeat(LIMITS.webhooks.description.max + 1)],
    ] as const) {
      const created = await jana.api.post('/webhooks', { url: receiver.url, [field]: value });
      expect([created.status, Object.keys(created.body.errors as object)]).toEqual([422, [field]]);
    }
    for (const [field, value] of [
      ['url', null],
      ['types', []],
      ['status', 'failed'],
    ] as const) {
      const changed = await jana.api.patch(at, { [field]: value });
      expect([changed.status, Object.keys(changed.body.errors as object)]).toEqual([422, [field]]);
      // Another account gets 404 before its body or query is checked.
      expect((await petr.api.patch(at, { [field]: value })).status).toBe(404);
    }
    expect((await petr.api.get(`${at}/deliveries?page=0`)).status).toBe(404);
    const before = await webhook(ids[0] ?? '');
    server.clock.forward(5_000);
    const { secret: _secret, ...rotated } = (await jana.api.post(`${at}/rotate`)).body.data;
    expect(rotated).toEqual({ ...before, updated_at: expect.not.stringMatching(before.updated_at as string) });
    expect(await webhook(ids[0] ?? '')).toEqual(rotated);
  });
});
