import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { LiveEventsJob } from '#areas/discover/live-events.job';
import { onStatement } from '#platform/database/statement-channel';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

/** Names of statements that the feed of changes and the request log run in the background. */
const BACKGROUND: ReadonlySet<string | undefined> = new Set(['changes_ring', 'requests_insert']);

/**
 * docs/adr/0007-totals.md: totals are exact under concurrent changes, and need no additional round trip to the
 * database.
 */
describe('totals of Discover', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.sql('DELETE FROM events');
    await server.sql('DELETE FROM user_blocks');
  });

  const total = async (query = '', who = petr): Promise<number> =>
    (await who.api.get(`/discover/events?per_page=1&${query}`)).body.meta.total;
  const QUERIES = [
    '',
    'q=piknik',
    'q=pi',
    'type=sport',
    'lat=50&lng=14',
    'min_participants=2',
    'date_from=2020-01-01',
    'page=7',
  ];
  const totals = (who = petr): Promise<number[]> => Promise.all(QUERIES.map((query) => total(query, who)));

  it('need no additional round trip to the database', async () => {
    const eva = await server.person('eva');
    for (let i = 0; i < 15; i++) {
      const { eventId } = await buildEvent(server, jana, { latitude: 50, longitude: 14, with: [[eva, 'requested']] });
      await server.sql(
        `UPDATE events SET images = '[{"id":1,"key":"a.jpg","width":1,"height":1,"is_primary":true},{"id":2,"key":"b.jpg","width":1,"height":1,"is_primary":false}]' WHERE id = $1`,
        [eventId],
      );
    }
    const query = jest.spyOn(Client.prototype, 'query');
    let statements: string[] = [];
    const stopListening = onStatement(({ name }) => {
      if (!BACKGROUND.has(name)) statements.push(name);
    });
    try {
      // These requests record that the token is used, and update the cached totals. The requests below then do not have
      // to read changes of events.
      for (const one of QUERIES) await eva.api.get(`/discover/events?${one}`);
      for (const one of [...QUERIES, ...QUERIES]) {
        query.mockClear();
        statements = [];
        expect((await eva.api.get(`/discover/events?${one}`)).status).toBe(200);
        expect(statements).toEqual(['identity_token_with_account', expect.stringMatching(/^(discover_|unprepared$)/)]);
        expect(
          query.mock.calls.filter(([sql]) => !BACKGROUND.has((sql as unknown as { name?: string }).name)),
        ).toHaveLength(2);
      }
    } finally {
      stopListening();
      query.mockRestore();
    }
  });

  it('include each change immediately, even if the change was made in another database session', async () => {
    expect(await totals()).toEqual(QUERIES.map(() => 0));
    const event = await buildEvent(server, jana, { type: 'sport', latitude: 50, longitude: 14 });
    expect(await totals()).toEqual([1, 1, 1, 1, 1, 0, 1, 1]);
    await server.sql('UPDATE events SET confirmed_count = 1 WHERE id = $1', [event.eventId]);
    expect(await totals()).toEqual(QUERIES.map(() => 1));
    await server.sql(`UPDATE events SET type = 'food', title = 'Sraz' WHERE id = $1`, [event.eventId]);
    expect(await totals()).toEqual([1, 0, 0, 0, 1, 1, 1, 1]);
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    expect(await totals()).toEqual(QUERIES.map(() => 0));
  });

  // DISC-14
  it('are exact even if a transaction begins before the request and commits after the request', async () => {
    await buildEvent(server, jana);
    const slow = server.app.get(DataSource).createQueryRunner();
    try {
      await slow.startTransaction();
      await slow.query(
        `INSERT INTO events (organizer_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
        VALUES ($1, 'Pomalu', 'other', now() + interval '1 day', true, 'open', false, false, now(), now())`,
        [jana.userId],
      );
      expect(await total()).toBe(1);
      await buildEvent(server, jana, { title: 'Rychle' });
      expect(await total()).toBe(2);
      expect(await total()).toBe(2);
      await slow.commitTransaction();
      expect(await total()).toBe(3);
    } finally {
      await slow.release();
    }
  });

  it('exclude the events that have ended at the time of the request, and include them again if the clock moves back', async () => {
    await buildEvent(server, jana, { ends_at: inDays(7.1) });
    await buildEvent(server, jana, { starts_at: inDays(20) });
    expect(await total()).toBe(2);
    server.clock.forward(8 * 86_400_000);
    expect(await total()).toBe(1);
    server.clock.forward(30 * 86_400_000);
    expect(await total()).toBe(0);
    server.clock.reset();
    expect(await total()).toBe(2);
  });

  // DISC-1, EVT-24
  it('exclude the viewer’s own events, events of people who block the viewer, and events that the viewer is banned from', async () => {
    const eva = await server.person('eva');
    await buildEvent(server, jana);
    await buildEvent(server, jana, { with: [[petr, 'banned']] });
    await buildEvent(server, petr);
    await buildEvent(server, eva, { with: [[petr, 'banned']] });
    expect([await total('', petr), await total('', jana), await total('', eva)]).toEqual([1, 2, 3]);
    await server.sql('INSERT INTO user_blocks (blocker_id, blocked_id) VALUES ($1, $3), ($2, $3)', [
      jana.userId,
      eva.userId,
      petr.userId,
    ]);
    expect([await total('', petr), await total('', jana), await total('', eva)]).toEqual([0, 2, 3]);
    expect((await petr.api.get('/discover/events')).body.data).toEqual([]);
  });

  // DISC-1
  it('exclude events while a block or a ban from the event hides them, and include these events again afterwards', async () => {
    const eva = await server.person('eva');
    const eventWithBan = await buildEvent(server, jana);
    await buildEvent(server, eva);
    const counts = async (): Promise<[number, number]> => {
      const { data, meta } = (await petr.api.get('/discover/events')).body as {
        data: unknown[];
        meta: { total: number };
      };
      return [data.length, meta.total];
    };
    for (const _ of [1, 2, 3]) expect(await counts()).toEqual([2, 2]);
    await server.sql('INSERT INTO user_blocks (blocker_id, blocked_id) VALUES ($1, $2)', [eva.userId, petr.userId]);
    for (const _ of [1, 2, 3]) expect(await counts()).toEqual([1, 1]);
    await server.sql(
      `INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at) VALUES ($1, $2, 'banned', now(), now(), now())`,
      [eventWithBan.eventId, petr.userId],
    );
    for (const _ of [1, 2, 3]) expect(await counts()).toEqual([0, 0]);
    await server.sql('DELETE FROM user_blocks');
    for (const _ of [1, 2, 3]) expect(await counts()).toEqual([1, 1]);
    await server.sql('DELETE FROM participations');
    for (const _ of [1, 2, 3]) expect(await counts()).toEqual([2, 2]);
  });

  // DISC-14
  it('equal the number of listed events under concurrent writes', async () => {
    const write = async (n: number): Promise<void> => {
      const { id } = await buildEvent(server, jana, { title: `Piknik ${n}` });
      if (n % 3 === 0) await jana.api.delete(`/events/${id}`);
      if (n % 3 === 1) await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    };
    const read = async (): Promise<void> => {
      const { body } = await petr.api.get('/discover/events?per_page=100&q=piknik');
      expect(body.meta.total).toBe(body.data.length);
    };
    await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 ? read() : write(n))));
    await read();
    expect(await total('q=piknik')).toBe(10);
  });

  it('do not change when the job discover-sweep deletes old rows of live_event_changes, removes ended events from live_events, and clears boosts that have ended', async () => {
    const ended = await buildEvent(server, jana, { starts_at: inDays(-1), ends_at: inDays(-0.5) });
    const lapsed = await buildEvent(server, jana, { editorial: { boostedUntil: inDays(-1) } });
    const boosted = await buildEvent(server, jana, { editorial: { boostedUntil: inDays(1) } });
    await server.sql(`UPDATE live_event_changes SET noted_at = now() - interval '11 minutes'`);
    const job = server.app.get(LiveEventsJob);
    const run = () => job.run({ now: server.clock.now(), signal: new AbortController().signal });
    const before = await totals();
    expect(await run()).toEqual({ ended: 1, boosts_lapsed: 1, changes_forgotten: expect.any(Number) as number });
    expect(await server.sql('SELECT sign FROM live_event_changes')).toEqual([{ sign: -1 }]);
    expect(await run()).toEqual({ ended: 0, boosts_lapsed: 0, changes_forgotten: 0 });
    expect(await totals()).toEqual(before);
    const live = await server.sql<{ id: string; boosted: boolean }>(
      'SELECT id, boosted_until IS NOT NULL AS boosted FROM live_events ORDER BY id',
    );
    expect(live).toEqual([
      { id: String(lapsed.eventId), boosted: false },
      { id: String(boosted.eventId), boosted: true },
    ]);
    // An ended event is listed again when the organizer moves its end to the future.
    await jana.api.patch(`/events/${ended.id}`, { ends_at: inDays(2).toISOString() });
    expect(await total()).toBe(3);
  });
});
