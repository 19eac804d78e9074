import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { LIMITS } from '#contract/limits';
import { PushKeys } from '#areas/push/push-keys';
import { PushSending } from '#areas/push/push-sending';
import { NEXT_ATTEMPT, TAKE_DUE } from '#areas/push/sending.query';
import { Settings } from '#platform/config/settings';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { banFor } from '#testing/moderation-actions';
import { PushService, vapidOf } from '#testing/push-service';
import { PushSubscriber } from '#testing/push-subscriber';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { unzip } from '#testing/zip';

const { delays } = LIMITS.push.tries;
const HOUR_MS = 3_600_000;

describe('push messages', () => {
  let server: TestServer;
  let service: PushService;
  let org: Person;
  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true, securityContact: 'mailto:security@example.org' });
    service = await PushService.open();
    org = await server.person('org', { name: 'Olga Dvořáková' });
  });
  afterAll(async () => {
    service.close();
    await server.stop();
  });

  /** Sends all messages that are due. */
  const send = () => server.app.get(PushSending).drain();
  const forward = async (seconds: number) => {
    server.clock.forward(seconds * 1000);
    await send();
  };
  const invite = async ({ person }: PushSubscriber, title = 'Piknik', more: object = {}) => {
    const event = await buildEvent(server, org, { title, starts_at: inDays(5), ...more });
    expect((await org.api.post(`/events/${event.id}/participants`, { user: person.slug })).status).toBe(201);
    return event.id;
  };
  const waitingCount = async () => {
    const [row] = await server.sql<{ count: number }>('SELECT count(*)::int AS count FROM push_messages');
    return row?.count;
  };
  const noticeOf = async ({ person }: PushSubscriber) => (await person.api.get('/notices')).body.data[0];

  // PUSH-4
  it('contain title, text, page and id of the notice, are encrypted, and are sent once to each browser of the person', async () => {
    const jana = await PushSubscriber.open(server, 'jana', { locale: 'cs' });
    const petr = await PushSubscriber.open(server, 'petr');
    const [one, two, other] = [service.browser(), service.browser(), service.browser()];
    for (const browser of [one, two]) await jana.subscribe(browser);
    await petr.subscribe(other);
    const id = await invite(jana);
    await send();
    await send();
    expect([
      one.receivedMessages.length,
      two.receivedMessages.length,
      other.receivedMessages.length,
      await waitingCount(),
    ]).toEqual([1, 1, 0, 0]);
    const { body } = await jana.person.api.send('GET', '/notices', { headers: { 'accept-language': 'cs' } });
    const { text, id: tag } = body.data[0];
    const url = `${server.app.get(Settings).baseUrl}/events/${id}`;
    for (const browser of [one, two])
      expect(browser.message()).toEqual({ title: 'Pozvánka: Piknik', body: text, url, tag });
    expect(one.receivedMessages[0]?.body).not.toEqual(two.receivedMessages[0]?.body);
  });

  // PUSH-4, PUSH-8
  it('are sent as requests that follow RFC 8030, signed with the key that the page of notices contains', async () => {
    const jana = await PushSubscriber.open(server, 'jana', { locale: 'en' });
    const browser = service.browser();
    await jana.subscribe(browser);
    await invite(jana);
    await forward(60);
    const [pushed] = await browser.atLeast(1);
    expect(browser.message().title).toBe('Invitation: Piknik');
    expect(pushed?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', 'content-length': expect.any(String) });
    expect(Number(pushed?.headers.ttl)).toBeGreaterThan(24 * 3600 - 90);
    expect(Number(pushed?.headers.ttl)).toBeLessThanOrEqual(24 * 3600 - 60);
    const { key, claims } = vapidOf(pushed!);
    expect(await jana.noticesHtml()).toContain(`data-push-key="${key}"`);
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:security@example.org' });
    const lifetime = claims.exp - Date.now() / 1000;
    expect([lifetime > 3600, lifetime <= 24 * 3600]).toEqual([true, true]);
  });

  // PUSH-4
  it('expire at the start of the event if they are reminders', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    await jana.subscribe(browser);
    const starts = new Date(server.clock.now().getTime() + 30 * HOUR_MS);
    const event = await buildEvent(server, org, { starts_at: starts });
    await jana.person.api.post(`/events/${event.id}/join`);
    server.clock.moveTo(new Date(starts.getTime() - 23 * HOUR_MS));
    await server.job('reminders');
    await forward(22 * 3600);
    expect(browser.receivedMessages).toHaveLength(1);
    expect(Number(browser.receivedMessages[0]?.headers.ttl)).toBeLessThanOrEqual(3600);
    expect(browser.message().tag).toBe((await noticeOf(jana)).id);
  });

  // PUSH-4
  it('expire together with the offer of a seat that they report, and are not sent after that time', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    await jana.subscribe(browser);
    const { eventId } = await buildEvent(server, org, { starts_at: inDays(5) });
    const now = server.clock.now().getTime();
    for (const minutes of [-1, 30])
      await server.sql(
        `INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, words, created_at)
         VALUES ($1, 'seat_offered', $2, 'Piknik', $3, $4, $3)`,
        [jana.person.userId, eventId, new Date(now), { until: new Date(now + minutes * 60_000).toISOString() }],
      );
    await send();
    expect([browser.receivedMessages.length, await waitingCount()]).toEqual([1, 0]);
    const ttl = Number(browser.receivedMessages[0]?.headers.ttl);
    expect([ttl > 1700, ttl <= 1800]).toEqual([true, true]);
  });

  // PUSH-4
  it('are not sent if they expire while the request to the push service is prepared', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    await jana.subscribe(browser);
    await invite(jana);
    const keys = server.app.get(PushKeys);
    const pair = await keys.pair();
    const prepared = jest.spyOn(keys, 'pair').mockImplementationOnce(() => {
      server.clock.forward(24 * HOUR_MS);
      return Promise.resolve(pair);
    });
    await send();
    expect([prepared.mock.calls.length, browser.receivedMessages.length, await waitingCount()]).toEqual([1, 0, 0]);
    prepared.mockRestore();
  });

  // PUSH-4
  it('are shortened so that they have at most 4,096 bytes after encryption', async () => {
    const jana = await PushSubscriber.open(server, 'jana', { locale: 'cs' });
    const browser = service.browser();
    await jana.subscribe(browser);
    await server.sql(
      `INSERT INTO notifications (user_id, kind, subject_type, subject_id, words, created_at)
       VALUES ($1, 'warning', 'decision', 1, $2, $3)`,
      [jana.person.userId, { thing: 'comment', named: '', reason: '"🎈'.repeat(800) }, server.clock.now()],
    );
    await send();
    expect(browser.receivedMessages).toHaveLength(1);
    expect(browser.receivedMessages[0]!.body.length).toBeLessThanOrEqual(4096);
    expect(browser.receivedMessages[0]!.body.length).toBeGreaterThan(4000);
    const { text } = await noticeOf(jana);
    const { body } = browser.message();
    expect(body.endsWith('…')).toBe(true);
    expect(text.startsWith(body.slice(0, 500))).toBe(true);
  });

  // PUSH-1
  it('are encrypted with the newest keys of a browser that subscribes again with the same address', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const [browser, former] = [service.browser(), service.browser()];
    const { keys } = former.subscription;
    expect((await jana.post({ ...browser.subscription, keys })).status).toBe(201);
    expect((await jana.post(browser.subscription)).status).toBe(200);
    await invite(jana);
    await send();
    expect(browser.message().tag).toBe((await noticeOf(jana)).id);
  });

  it('are sent to a browser in the order of the notices', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    await jana.subscribe(browser);
    const names = ['První', 'Druhá', 'Třetí'];
    for (const title of names) await invite(jana, title);
    await send();
    expect(browser.receivedMessages.map((_, n) => browser.message(n).title.replace(/^.*: /, ''))).toEqual(names);
  });

  // PUSH-7, HOOK-14
  it('are sent first to browsers that were never served, and then to the browser that was served longest ago', async () => {
    const ids: string[] = [];
    for (const name of ['jana', 'petr', 'eva']) {
      const subscriber = await PushSubscriber.open(server, name);
      ids.push((await subscriber.subscribe(service.browser())).id);
      await invite(subscriber);
    }
    // In the order of their ids, the browsers were served one minute ago, two minutes ago, and never. So they must be
    // served in the opposite order.
    ids.sort();
    const now = server.clock.now();
    for (const [n, minutes] of [1, 2].entries())
      await server.sql('UPDATE push_subscriptions SET served_at = $2 WHERE id = $1', [
        ids[n],
        new Date(now.getTime() - minutes * 60_000),
      ]);
    const reserved: string[][] = [];
    for (let n = 0; n < 4; n++) {
      const rows = await server.database.rows<{ id: string }>(TAKE_DUE, [now, new Date(now.getTime() + 30_000), 1, 1]);
      reserved.push(rows.map(({ id }) => id));
    }
    expect(reserved).toEqual([[ids[2]], [ids[1]], [ids[0]], []]);
    await server.sql('UPDATE push_subscriptions SET busy_until = NULL');
    await send();
    expect(await waitingCount()).toBe(0);
  });

  // PUSH-5
  it('are sent only for the kinds of notices that are selected at the time of sending', async () => {
    const jana = await PushSubscriber.open(server, 'jana', { locale: 'en' });
    const browser = service.browser();
    await jana.subscribe(browser);
    const id = await invite(jana);
    await jana.visitor.submit('/account/notices', { push_event_cancelled: '1' }, '/account/notices/mails');
    await org.api.patch(`/events/${id}`, { status: 'cancelled' });
    await send();
    expect([browser.receivedMessages.length, await waitingCount()]).toEqual([1, 0]);
    expect(browser.message().title).toBe('Cancelled: Piknik');
  });

  // PUSH-5
  it('are sent for a kind that is selected at the time of sending, even if it was not selected when the notice was written', async () => {
    const jana = await PushSubscriber.open(server, 'jana', { locale: 'en' });
    const choose = (kinds: Record<string, string>) =>
      jana.visitor.submit('/account/notices', kinds, '/account/notices/mails');
    const browser = service.browser((count) => ({ status: count === 1 ? 503 : 201 }));
    await jana.subscribe(browser);
    await choose({});
    await invite(jana, 'Piknik');
    await choose({ push_invitation: '1' });
    await send();
    expect(browser.message().title).toBe('Invitation: Piknik');
    // The first attempt has failed. A retry is sent only if the kind is selected at the time of the retry.
    await choose({});
    await forward(delays[0] + 1);
    expect([browser.receivedMessages.length, await waitingCount()]).toEqual([1, 0]);
  });

  // PUSH-6
  it('are dropped together with the subscription when the push service answers 404 or 410', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const browsers = [404, 410].map((status) => service.browser(() => ({ status })));
    for (const browser of browsers) await jana.subscribe(browser);
    await invite(jana);
    await send();
    expect(await jana.listedIds()).toEqual([]);
    await invite(jana);
    await send();
    expect([...browsers.map(({ receivedMessages }) => receivedMessages.length), await waitingCount()]).toEqual([
      1, 1, 0,
    ]);
  });

  // PUSH-6
  it('are sent again after a 5xx response, and dropped when the last attempt has failed', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const [recovering, failing] = [
      service.browser((count) => ({ status: count < 3 ? 503 : 201 })),
      service.browser(() => ({ status: 500 })),
    ];
    for (const browser of [recovering, failing]) await jana.subscribe(browser);
    await invite(jana);
    await send();
    await forward(delays[0] - 2);
    expect([recovering.receivedMessages.length, failing.receivedMessages.length]).toEqual([1, 1]);
    await forward(2);
    await forward(delays[1]);
    expect([recovering.receivedMessages.length, failing.receivedMessages.length]).toEqual([3, 3]);
    for (const delay of delays.slice(2)) await forward(delay + 1);
    // The eighth attempt is the last attempt within a day.
    expect([recovering.receivedMessages.length, failing.receivedMessages.length, await waitingCount()]).toEqual([
      3, 8, 0,
    ]);
    expect(recovering.message(2)).toEqual(recovering.message(0));
    expect(recovering.receivedMessages[2]?.body).not.toEqual(recovering.receivedMessages[0]?.body);
    expect(await jana.listedIds()).toHaveLength(2);
  });

  // PUSH-6
  it('are sent again after a 429 when the time in Retry-After has passed, and dropped after 307, 400, 403 and 413; none of these responses ends the subscription', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const busy = service.browser((count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '7200' } } : { status: 201 },
    );
    const refusing = [400, 403, 413, 307].map((status) => service.browser(() => ({ status })));
    for (const browser of [busy, ...refusing]) await jana.subscribe(browser);
    await invite(jana);
    await send();
    await forward(7100);
    expect(busy.receivedMessages).toHaveLength(1);
    await forward(101);
    expect([busy.receivedMessages.length, ...refusing.map(({ receivedMessages }) => receivedMessages.length)]).toEqual([
      2, 1, 1, 1, 1,
    ]);
    expect([await waitingCount(), (await jana.listedIds()).length]).toEqual([0, 5]);
  });

  // PUSH-6
  it('are sent again if there is no response; messages to other browsers and later messages do not wait for the retry', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const [silent, good] = [service.browser((count) => (count === 1 ? null : { status: 201 })), service.browser()];
    for (const browser of [silent, good]) await jana.subscribe(browser);
    // Returns for each browser whether its push service was slow at the last attempt (HOOK-16).
    const areSlow = async () =>
      (
        await server.sql<{ is_slow: boolean }>(
          'SELECT is_slow FROM push_subscriptions WHERE user_id = $1 ORDER BY created_at, id',
          [jana.person.userId],
        )
      ).map(({ is_slow }) => is_slow);
    await invite(jana);
    const sent = send();
    await good.atLeast(1);
    await silent.atLeast(1);
    expect(silent.receivedMessages).toHaveLength(1);
    await sent;
    expect((await areSlow()).sort()).toEqual([false, true]);
    await invite(jana, 'Druhá');
    await send();
    expect(await areSlow()).toEqual([false, false]);
    expect([silent.receivedMessages.length, good.receivedMessages.length, await waitingCount()]).toEqual([2, 2, 1]);
    await forward(delays[0]);
    expect([silent.receivedMessages.length, await waitingCount()]).toEqual([3, 0]);
    expect(silent.message(2)).toEqual(silent.message(0));
  }, 30_000);

  // PUSH-7
  it('are not sent while the account is banned, or if they are older than a day', async () => {
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    await jana.subscribe(browser);
    await cli.answer('user', 'ban', jana.person.slug);
    await server.sql(
      `INSERT INTO notifications (user_id, kind, subject_type, subject_id, words, created_at)
       VALUES ($1, 'group_approval', 'group', 1, '{"group": "Běžci"}', $2),
              ($1, 'group_approval', 'group', 1, '{"group": "Chodci"}', $3)`,
      [jana.person.userId, server.clock.now(), new Date(server.clock.now().getTime() - 25 * HOUR_MS)],
    );
    await send();
    expect([browser.receivedMessages.length, await waitingCount()]).toEqual([0, 2]);
    await cli.answer('user', 'unban', jana.person.slug);
    await send();
    expect([browser.receivedMessages.length, await waitingCount()]).toEqual([1, 0]);
    expect(browser.message().body).toContain('Běžci');
  });

  // PUSH-7, MOD-47
  it('wait while the account is banned, and are sent after the end of the ban', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    await jana.subscribe(browser);
    await invite(jana);
    const countReceivedWithBanUntil = async (end: string) => {
      await banFor(server, jana.person, end);
      await send();
      return browser.receivedMessages.length;
    };
    expect(await countReceivedWithBanUntil('1 day')).toBe(0);
    expect(await server.database.rows(NEXT_ATTEMPT)).toEqual([{ is_used: true, next_attempt_at: null }]);
    expect(await countReceivedWithBanUntil('-1 second')).toBe(1);
  });

  // PUSH-11
  it('are deleted with their subscriptions when the account is erased; a data export lists the name, host and date of each subscription', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'push-'));
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    await jana.subscribe(browser);
    await invite(jana);
    await server.app.get(OwnDataCommands).export(jana.person.slug, join(folder, 'jana.zip'));
    const files = await unzip(readFileSync(join(folder, 'jana.zip')));
    rmSync(folder, { recursive: true });
    expect(JSON.parse(String(files.get('push-subscriptions.json')))).toEqual([
      { name: 'Firefox 140, Linux', host: new URL(service.origin).host, created_at: expect.any(String) },
    ]);
    const { keys, endpoint } = browser.subscription;
    for (const content of files.values())
      for (const secret of [keys.auth, keys.p256dh, endpoint]) expect(String(content)).not.toContain(secret);
    await CommandLine.forDatabaseOf(server.app.get(Settings)).answer('user', 'erase', jana.person.slug);
    await send();
    expect(browser.receivedMessages).toEqual([]);
    for (const table of ['push_subscriptions', 'push_choices'])
      expect([table, await server.sql(`SELECT 1 FROM ${table} WHERE user_id = $1`, [jana.person.userId])]).toEqual([
        table,
        [],
      ]);
    expect(await waitingCount()).toBe(0);
  });

  // PUSH-7
  it('are deleted by the job push-sweep if they were not sent within eight days', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    await jana.subscribe(service.browser());
    await invite(jana);
    await server.sql('DELETE FROM push_subscriptions');
    server.clock.forward((LIMITS.push.messages_kept - 60) * 1000);
    expect(await server.job('push-sweep')).toEqual({ messages_deleted: 0 });
    server.clock.forward(120_000);
    expect(await server.job('push-sweep')).toEqual({ messages_deleted: 1 });
  });

  // PUSH-2
  it('are sent to the address of a browser only for the account that was the last to subscribe with this address', async () => {
    const [jana, petr] = [await PushSubscriber.open(server, 'jana'), await PushSubscriber.open(server, 'petr')];
    const browser = service.browser();
    await jana.subscribe(browser);
    await invite(jana, 'Pro Janu');
    await petr.subscribe(browser);
    await invite(jana, 'Zase pro Janu');
    await invite(petr, 'Pro Petra');
    await send();
    expect(browser.receivedMessages).toHaveLength(1);
    expect(browser.message().title).toMatch(/Pro Petra$/);
    await server.sql('DELETE FROM push_messages');
  });
});
