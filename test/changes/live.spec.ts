import { setTimeout as pause } from 'node:timers/promises';
import { buildEvent } from '#testing/builders';
import { EventStream, type StreamEvent } from '#testing/event-stream';
import { Feed, type Entry } from '#testing/feed';
import type { Answer } from '#testing/http-client';
import { OAuthApp, signedInPerson } from '#testing/oauth-app';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';
import { ChangeSequencer } from '#platform/changes/change-sequencer';
import { CursorSealer } from '#platform/changes/cursor';
import { DatabaseServer } from '#platform/database/database-server';

let server: TestServer;
let secondServer: TestServer;
const openStreams: EventStream[] = [];
beforeAll(async () => {
  server = await TestServer.start();
  secondServer = await TestServer.start({ databaseUrl: server.app.get(DatabaseServer).url });
});
afterEach(() => {
  for (const stream of openStreams.splice(0)) stream.close();
});
afterAll(async () => {
  await secondServer.stop();
  await server.stop();
});

const typeAndId = ({ type, subject }: Entry): string => `${type} ${subject.id}`;
const openStream = async (person: Person, query = '', headers = {}, origin?: string): Promise<EventStream> => {
  const opened = await EventStream.open(person, query, headers, origin);
  openStreams.push(opened);
  return opened;
};

/** Ways to lose the right to read: text for the test name, SQL assignment, and error code of the refused request. */
const ENDED_RIGHTS = [
  ['was banned', 'banned = true', 'banned'],
  ['lost Premium', 'premium_until = NULL', 'premium_required'],
] as const;

describe('a waiting request', () => {
  // CHG-11
  it('is answered as soon as a change is committed, even if another server made the change', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const { cursor } = await Feed.of(petr);
    const waits = [petr.api, clientOf(secondServer, petr.token)].map((api) =>
      api.get(`/changes?cursor=${cursor}&wait=20`),
    );
    await pause(300);
    await jana.api.patch(`/events/${event.id}`, { title: 'Jiný' });
    for (const { status, body } of await Promise.all(waits))
      expect([status, body.data.map(typeAndId)]).toEqual([200, [`event.updated ${event.id}`]]);
  });

  // CHG-11
  it('is also accepted from an account whose id is above 2147483647', async () => {
    await server.sql('ALTER TABLE users ALTER COLUMN id RESTART WITH 3000000000');
    const eva = await server.person('eva');
    expect(eva.userId).toBeGreaterThanOrEqual(3_000_000_000);
    await buildEvent(server, eva);
    const { cursor } = await Feed.of(eva);
    expect((await eva.api.get(`/changes?cursor=${cursor}&wait=1`)).status).toBe(200);
  });

  // CHG-11
  it('gets an empty page if there are no changes of the requested types', async () => {
    const { jana } = await server.people('jana');
    const event = await buildEvent(server, jana);
    const { cursor } = await Feed.of(jana);
    const wait = jana.api.get(`/changes?cursor=${cursor}&wait=1&types=comment.created`);
    await jana.api.patch(`/events/${event.id}`, { title: 'Jiný' });
    const { status, body } = await wait;
    expect([status, body.data, body.meta.has_more]).toEqual([200, [], false]);
    expect(body.meta.cursor).not.toBe(cursor);
    for (const seconds of ['0', '26', 'x']) expect((await jana.api.get(`/changes?wait=${seconds}`)).status).toBe(422);
  });

  // CHG-11
  it('gets changes of an event to which the person was added during the request', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana);
    const { cursor } = await Feed.of(petr);
    const wait = petr.api.get(`/changes?cursor=${cursor}&wait=20`);
    await pause(300);
    await jana.api.post(`/events/${event.id}/participants`, { user: petr.slug });
    expect((await wait).body.data.map(typeAndId)).toContain(`participant.created ${petr.slug}`);
  });

  // CHG-11
  it('is accepted if the account has fewer than ten other waiting requests, counted on all servers', async () => {
    const jana = await server.person('jana');
    const { cursor } = await Feed.of(jana);
    const apis = [jana.api, clientOf(secondServer, jana.token)];
    const refused: Answer[] = [];
    const waits = Array.from({ length: 12 }, async (_, i) => {
      const answer = await apis[i % 2]!.get(`/changes?cursor=${cursor}&wait=25`);
      if (answer.status === 429) refused.push(answer);
      return answer;
    });
    await waitUntil(() => refused.length >= 2);
    await buildEvent(server, jana); // ends the waiting requests
    expect((await Promise.all(waits)).map(({ status }) => status).sort()).toEqual([
      ...Array<number>(10).fill(200),
      429,
      429,
    ]);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await jana.api.get(`/changes?cursor=${cursor}&wait=1`)).status).toBe(200);
    // Ended requests no longer count: ten new requests can wait.
    const waitingRequests = async (): Promise<number> =>
      (await server.sql('SELECT FROM change_holds WHERE account_id = $1', [jana.userId])).length;
    expect(await waitingRequests()).toBe(0);
    const { cursor: newCursor } = await Feed.of(jana);
    const statuses: number[] = [];
    const newRequests = Array.from({ length: 10 }, async (_, i) =>
      statuses.push((await apis[i % 2]!.get(`/changes?cursor=${newCursor}&wait=25`)).status),
    );
    await waitUntil(async () => (await waitingRequests()) >= 10 || statuses.length > 0);
    await buildEvent(server, jana);
    await Promise.all(newRequests);
    expect([statuses, await waitingRequests()]).toEqual([Array<number>(10).fill(200), 0]);
  });

  // CHG-11
  it('is refused at its end if the account was banned during the request, even if there are no entries', async () => {
    const jana = await server.person('jana');
    const wait = jana.api.get('/changes?wait=2');
    await waitUntil(
      async () => (await server.sql('SELECT FROM change_holds WHERE account_id = $1', [jana.userId])).length > 0,
    );
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [jana.userId]);
    expect((await wait).status).toBe(403);
  });

  // CHG-11
  it.each(ENDED_RIGHTS)('is refused at the next change after the account %s', async (_, fields, code) => {
    const jana = await server.person('jana');
    const event = await buildEvent(server, jana);
    const wait = jana.api.get('/changes?wait=20');
    await pause(300);
    await server.sql(`UPDATE users SET ${fields} WHERE id = $1`, [jana.userId]);
    await server.sql('UPDATE events SET title = $2 WHERE id = $1', [event.eventId, 'Jiný']);
    const { status, body } = await wait;
    expect([status, body.code]).toEqual([403, code]);
  });
});

describe('a stream', () => {
  // CHG-12, WIRE-30
  it('first sends the cursor of its starting position, and then changes, on every server', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const streams = await Promise.all([openStream(petr), openStream(petr, '', {}, secondServer.origin)]);
    for (const stream of streams) {
      await stream.until(({ events }) => events.length > 0);
      expect([stream.status, stream.headers.get('cache-control'), stream.headers.get('content-type')]).toEqual([
        200,
        'no-store',
        'text/event-stream; charset=utf-8',
      ]);
      expect(stream.headers.get('x-ratelimit-limit')).not.toBeNull();
      expect(stream.headers.get('x-accel-buffering')).toBe('no');
      expect(stream.headers.get('content-language')).toBe('cs');
      expect([stream.events[0]?.id, stream.events[0]?.data]).toEqual([expect.any(String), null]);
    }
    const comments: string[] = [];
    for (let i = 0; i < 5; i++)
      comments.push((await jana.api.post(`/events/${event.id}/comments`, { body: `${i}` })).body.data.id as string);
    for (const stream of streams) {
      await stream.until(({ entries }) => entries.length >= 5);
      expect(stream.entries.map(typeAndId)).toEqual(comments.map((id) => `comment.created ${id}`));
      expect(stream.events.filter(({ data }) => data).map(({ id }) => id)).toEqual(
        stream.entries.map(({ cursor }) => cursor),
      );
      expect(stream.events.every(({ text }) => !text.includes('event:'))).toBe(true);
    }
  });

  // CHG-12
  it('continues after the cursor in Last-Event-ID or else in the query, and refuses broken, future and expired cursors in both', async () => {
    const jana = await server.person('jana');
    const { cursor } = await Feed.of(jana);
    const event = await buildEvent(server, jana);
    await jana.api.patch(`/events/${event.id}`, { title: 'Jiný' });
    const first = await openStream(jana, `?cursor=${cursor}`);
    await first.until(({ entries }) => entries.length === 2);
    expect(first.entries.map(typeAndId)).toEqual([`event.created ${event.id}`, `event.updated ${event.id}`]);
    const second = await openStream(jana, `?cursor=${cursor}`, { 'last-event-id': first.entries[0]!.cursor });
    await second.until(({ entries }) => entries.length === 1);
    expect(second.entries.map(typeAndId)).toEqual([`event.updated ${event.id}`]);
    expect(second.events[0]?.id).toBe(first.entries[0]!.cursor);
    const broken = await openStream(jana, `?cursor=${cursor}`, { 'last-event-id': 'broken' });
    expect([broken.status, Object.keys((broken.body as { errors: object }).errors)]).toEqual([422, ['Last-Event-ID']]);
    const empty = await openStream(jana, `?cursor=${cursor}`, { 'last-event-id': '' });
    await empty.until(({ entries }) => entries.length === 2);
    const brokenCursor = await openStream(jana, '?cursor=broken');
    expect([brokenCursor.status, Object.keys((brokenCursor.body as { errors: object }).errors)]).toEqual([
      422,
      ['cursor'],
    ]);
    // After a restore from a backup, the feed can end before the position of a cursor.
    const [feed] = await server.sql<{ last: string }>('SELECT last_number AS last FROM change_feed');
    const ahead = server.app.get(CursorSealer).seal({ at: server.clock.now(), number: BigInt(feed!.last) + 1000n });
    for (const [query, headers, field] of [
      [`?cursor=${ahead}`, {}, 'cursor'],
      ['', { 'last-event-id': ahead }, 'Last-Event-ID'],
    ] as const) {
      const refused = await openStream(jana, query, headers);
      expect([refused.status, Object.keys((refused.body as { errors: object }).errors)]).toEqual([422, [field]]);
    }
    server.clock.forward(31 * 86_400_000);
    for (const expired of [
      await openStream(jana, `?cursor=${cursor}`),
      await openStream(jana, '', { 'last-event-id': cursor }),
    ])
      expect([expired.status, (expired.body as { code: string }).code]).toEqual([410, 'cursor_expired']);
  });

  // CHG-9, CHG-12
  it('sends only the requested types, and begins with all entries after the cursor, even if they would not fit on one page', async () => {
    const jana = await server.person('jana');
    const event = await buildEvent(server, jana);
    const { cursor } = await Feed.of(jana);
    await server.sql(
      `INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, counted)
       SELECT 'event', $1, CASE n % 2 WHEN 0 THEN 'comment.gone' ELSE 'photo.gone' END, n, false FROM generate_series(1, 600) n`,
      [event.eventId],
    );
    const [all, selected] = [
      await openStream(jana, `?cursor=${cursor}`),
      await openStream(jana, `?cursor=${cursor}&types=comment.gone,event.cancelled`),
    ];
    await all.until(({ entries }) => entries.length >= 600);
    await selected.until(({ entries }) => entries.length >= 300);
    await jana.api.patch(`/events/${event.id}`, { title: 'Jiný' });
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    await all.until(({ entries }) => entries.at(-1)?.type === 'event.cancelled');
    await selected.until(({ entries }) => entries.at(-1)?.type === 'event.cancelled');
    expect(new Set(all.entries.map(({ id }) => id)).size).toBe(602);
    expect(selected.entries).toEqual(
      all.entries.filter(({ type }) => type === 'comment.gone' || type === 'event.cancelled'),
    );
  });

  // CHG-12
  it('is sent for a GET that prefers text/event-stream to JSON, but not for a HEAD', async () => {
    const jana = await server.person('jana');
    const stream = await openStream(jana, '', { accept: 'application/json;q=0.4, Text/Event-Stream; q=0.5, */*' });
    await stream.until(({ events }) => events.length > 0);
    for (const [method, accept] of [
      ['GET', 'application/json, text/event-stream;q=0.0'],
      ['GET', 'application/json, text/event-stream;q=0.9'],
      ['HEAD', 'text/event-stream'],
    ] as const) {
      const page = await jana.api.send(method, '/changes', { headers: { accept } });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    }
  });

  // CHG-11, CHG-12
  it('counts towards the limit for at most half a minute after its server died', async () => {
    const jana = await server.person('jana');
    const used = async (): Promise<number | undefined> =>
      ((await jana.api.get('/limits')).body.data as { name: string; used: number }[]).find(
        ({ name }) => name === 'streams',
      )?.used;
    // Adds the rows of three streams of a server that died and therefore could not delete them.
    const addDeadStreams = (seconds: number) =>
      server.sql(
        `INSERT INTO change_holds (id, account_id, kind, until) SELECT gen_random_uuid(), $1, 'stream', clock_timestamp() + make_interval(secs => $2) FROM generate_series(1, 3)`,
        [jana.userId, seconds],
      );
    await addDeadStreams(20);
    // The end of a waiting request does not allow a further stream, so Retry-After ignores the waiting request.
    await server.sql(
      `INSERT INTO change_holds (id, account_id, kind, until) VALUES (gen_random_uuid(), $1, 'wait', clock_timestamp() + interval '5 seconds')`,
      [jana.userId],
    );
    const refused = await openStream(jana);
    expect([await used(), refused.status]).toEqual([3, 429]);
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect([retryAfter > 10, retryAfter <= 20]).toEqual([true, true]);
    await server.sql(`UPDATE change_holds SET until = clock_timestamp() - interval '1 second' WHERE account_id = $1`, [
      jana.userId,
    ]);
    expect(await used()).toBe(0);
    expect((await openStream(jana)).status).toBe(200);
    const [hold] = await server.sql<{ seconds: number }>(
      'SELECT extract(epoch FROM until - clock_timestamp())::float8 AS seconds FROM change_holds WHERE account_id = $1',
      [jana.userId],
    );
    expect([hold!.seconds > 20, hold!.seconds <= 30]).toEqual([true, true]);
  });

  // CHG-12, LIM-12
  it('is refused if the account has three open streams on all servers together, and GET /limits shows this limit', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const streams = [
      await openStream(jana),
      await openStream(jana, '', {}, secondServer.origin),
      await openStream(jana),
    ];
    const streamsLimit = async (): Promise<unknown> =>
      ((await jana.api.get('/limits')).body.data as { name: string }[]).find(({ name }) => name === 'streams');
    expect(await streamsLimit()).toEqual({
      name: 'streams',
      limit: 3,
      used: 3,
      remaining: 0,
      resets_at: null,
      per: 'account',
    });
    const fourth = await openStream(jana, '', {}, secondServer.origin);
    expect([fourth.status, (fourth.body as { code: string }).code]).toEqual([429, 'too_many_requests']);
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await openStream(petr)).status).toBe(200);
    streams[1]!.close();
    for (let i = 0; i < 500 && ((await streamsLimit()) as { used: number }).used === 3; i++) await pause(10);
    expect((await openStream(jana)).status).toBe(200);
  });

  // CHG-11, CHG-12
  it('can be opened while requests wait, because the limit of waiting requests is separate', async () => {
    const jana = await server.person('jana');
    const { cursor } = await Feed.of(jana);
    const waits = Array.from({ length: 3 }, () => jana.api.get(`/changes?cursor=${cursor}&wait=25`));
    const waitingRequests = () => server.sql('SELECT FROM change_holds WHERE account_id = $1', [jana.userId]);
    await waitUntil(async () => (await waitingRequests()).length >= waits.length);
    expect((await openStream(jana)).status).toBe(200);
    // GET /limits does not count the waiting requests as streams.
    expect((await jana.api.get('/limits')).body.data).toContainEqual(
      expect.objectContaining({ name: 'streams', used: 1 }),
    );
    await buildEvent(server, jana); // ends the waiting requests
    expect((await Promise.all(waits)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  // CHG-12
  it('can be opened with a read-only token, and sends no further changes after the token is deleted', async () => {
    const jana = await server.person('jana', { access: 'read' });
    const event = await buildEvent(server, jana);
    const stream = await openStream(jana);
    await stream.until(({ events }) => events.length > 0);
    await server.sql('UPDATE events SET title = $2 WHERE id = $1', [event.eventId, 'Jiný']);
    await stream.until(({ entries }) => entries.length === 1);
    await server.sql('DELETE FROM tokens WHERE user_id = $1', [jana.userId]);
    await server.sql('UPDATE events SET title = $2 WHERE id = $1', [event.eventId, 'A jiný']);
    await stream.until(({ ended }) => ended);
    expect(stream.entries).toHaveLength(1);
  });

  // ACC-5, ACC-8, CHG-12
  it.each([
    ['Premium ends', 'UPDATE users SET premium_until = now() WHERE id = $1'],
    ['the account is banned', 'UPDATE users SET banned = true WHERE id = $1'],
    ['the token expires', 'UPDATE tokens SET expires_at = now() WHERE user_id = $1'],
  ])('sends no further changes after %s', async (_what, change) => {
    const jana = await server.person('jana');
    const event = await buildEvent(server, jana);
    const stream = await openStream(jana);
    await stream.until(({ events }) => events.length > 0);
    await server.sql(change, [jana.userId]);
    await server.sql('UPDATE events SET title = $2 WHERE id = $1', [event.eventId, 'Jiný']);
    await stream.until(({ ended }) => ended);
    expect(stream.entries).toEqual([]);
  });

  // ACC-8, APP-16, APP-20, CHG-12
  it.each([
    [
      'is suspended',
      'UPDATE apps SET suspended_at = now() WHERE id = (SELECT app_id FROM app_grants WHERE user_id = $1)',
    ],
    ['is disconnected', 'DELETE FROM app_grants WHERE user_id = $1'],
  ])('of an app sends no further changes after the app %s', async (_what, change) => {
    const { person, browser } = await signedInPerson(server, 'jana');
    const event = await buildEvent(server, person);
    const { access_token, api } = await (await OAuthApp.register(server)).connect(browser);
    const stream = await openStream({ ...person, token: access_token, api });
    await stream.until(({ events }) => events.length > 0);
    await server.sql('UPDATE events SET title = $2 WHERE id = $1', [event.eventId, 'Jiný']);
    await stream.until(({ entries }) => entries.length === 1);
    await server.sql(change, [person.userId]);
    await server.sql('UPDATE events SET title = $2 WHERE id = $1', [event.eventId, 'A jiný']);
    await stream.until(({ ended }) => ended);
    expect(stream.entries).toHaveLength(1);
  });

  // CHG-12
  it('sends changes of an event that the person joined during the stream', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana);
    const stream = await openStream(petr);
    await stream.until(({ events }) => events.length > 0);
    await petr.api.post(`/events/${event.id}/join`);
    await stream.until(({ entries }) => entries.length === 1);
    await jana.api.patch(`/events/${event.id}`, { title: 'Jiný' });
    await stream.until(({ entries }) => entries.length === 2);
    expect(stream.entries.map(typeAndId)).toEqual([`participant.joined ${petr.slug}`, `event.updated ${event.id}`]);
  });

  // CHG-12
  it('sends keep-alive comments whether or not there are entries to send, and ends when its token is deleted, even if all new entries have other types', async () => {
    const { jana, eva, petr, iva } = await server.people('jana', 'eva', 'petr', 'iva');
    const event = await buildEvent(server, petr, { with: [[iva, 'confirmed']] });
    const [idle, revoked] = [await openStream(jana), await openStream(eva)];
    const [frequent, filtered] = [await openStream(petr), await openStream(petr, '?types=series.created')];
    const revokedFiltered = await openStream(iva, '?types=series.created');
    for (const opened of [idle, revoked, frequent, filtered, revokedFiltered])
      await opened.until(({ events }) => events.length > 0);
    const isComment = ({ text }: StreamEvent): boolean => text.startsWith(':');
    const secondsUntilHoldEnds = async (): Promise<number> =>
      (
        await server.sql<{ seconds: number }>(
          'SELECT extract(epoch FROM until - clock_timestamp())::float8 AS seconds FROM change_holds WHERE account_id = $1',
          [jana.userId],
        )
      )[0]?.seconds ?? 0;
    await server.sql(
      `UPDATE change_holds SET until = clock_timestamp() + interval '12 seconds' WHERE account_id = $1`,
      [jana.userId],
    );
    await server.sql('DELETE FROM tokens WHERE user_id = ANY($1)', [[eva.userId, iva.userId]]);
    for (let i = 0; i < 30 && ![idle, frequent, filtered].every(({ events }) => events.some(isComment)); i++) {
      await server.sql('UPDATE events SET title = $2 WHERE id = $1', [event.eventId, `Jiný ${i}`]);
      await pause(500);
    }
    for (const quiet of [idle, filtered]) {
      expect(quiet.events.map(({ text }) => text)).toEqual([
        expect.stringMatching(/^id: /),
        expect.stringMatching(/^:\nid: \S+$/),
      ]);
      expect(quiet.events[1]?.id).not.toBe(quiet.events[0]?.id);
    }
    expect([frequent.entries.length > 5, frequent.events.filter(isComment).length]).toEqual([true, 1]);
    for (const ending of [revoked, revokedFiltered]) {
      await ending.until(({ ended }) => ended);
      expect(ending.events).toHaveLength(1);
    }
    // An open stream continues to count towards the limit.
    for (let i = 0; i < 200 && (await secondsUntilHoldEnds()) < 15; i++) await pause(10);
    expect(await secondsUntilHoldEnds()).toBeGreaterThan(15);
    const position = idle.events[1]?.id ?? '';
    const continued = await openStream(jana, '', { 'last-event-id': position });
    await continued.until(({ events }) => events.length > 0);
    expect(continued.events[0]?.id).toBe(position);
  });
});

// CHG-13
describe('the job changes-sweep', () => {
  it('creates partitions for the coming weeks and drops expired partitions', async () => {
    const separateServer = await TestServer.start({ changesKeepSeconds: 3600 });
    try {
      const weeks = async (): Promise<number> =>
        (await separateServer.sql(`SELECT 1 FROM pg_inherits WHERE inhparent = 'changes'::regclass`)).length;
      const jana = await separateServer.person('jana');
      await buildEvent(separateServer, jana);
      // The number of partitions for past weeks: 0, or 1 if a new week (a Monday) has begun after the test database was
      // created.
      const past = (
        await separateServer.sql(`SELECT 1 FROM pg_inherits JOIN pg_class week ON week.oid = inhrelid
        WHERE inhparent = 'changes'::regclass AND substring(pg_get_expr(relpartbound, week.oid) FROM $$TO \\('([^']+)'\\)$$)::timestamptz <= now()`)
      ).length;
      expect(await separateServer.job('changes-sweep')).toEqual({
        weeks_prepared: 1 + past,
        weeks_dropped: 0,
        changes_forgotten: 0,
      });
      expect(await separateServer.job('changes-sweep')).toEqual({
        weeks_prepared: 0,
        weeks_dropped: 0,
        changes_forgotten: 0,
      });
      // All entries get their numbers now. An entry that gets its number after its partition was dropped would be
      // stored in the default partition.
      await separateServer.app.get(ChangeSequencer).numberEntries();
      const before = await weeks();
      // The clock is moved to about an hour after the beginning of the next week. On a Sunday evening, a move by seven
      // days and an hour would skip a week, and the job would create two partitions.
      separateServer.clock.moveTo(new Date(nextMonday(separateServer.clock.now()) + 3_700_000));
      expect(await separateServer.job('changes-sweep')).toEqual({
        weeks_prepared: 1,
        weeks_dropped: 1 + past,
        changes_forgotten: 0,
      });
      expect(await weeks()).toBe(before - past);
      expect(await separateServer.sql('SELECT 1 FROM changes')).toEqual([]);
    } finally {
      await separateServer.stop();
    }
  });
});

/** The first moment of the next Monday (UTC) in milliseconds. */
function nextMonday(now: Date): number {
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 7 - ((now.getUTCDay() + 6) % 7));
}
