import { StatisticsCommands } from '#areas/statistics/statistics.commands';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { Settings } from '#platform/config/settings';
import { Database, statement } from '#platform/database/database';
import { pragueDay } from '#platform/time/prague';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { Visitor } from '#testing/visitor';
import { waitUntil } from '#testing/wait-until';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- the response has no type */
const statsOf = async (organizer: Person, id: string): Promise<any> => {
  const { status, body } = await organizer.api.get(`/events/${id}/stats`);
  expect(status).toBe(200);
  return body.data;
};
const today = (): string => pragueDay(server.clock.now());

/** Gives the person this e-mail address and a password, and returns a browser in which the person is signed in. */
async function signedIn(email: string, { slug }: Person): Promise<Visitor> {
  const commandLine = CommandLine.forDatabaseOf(server.app.get(Settings));
  await commandLine.answer('user', 'update', slug, '--email', email, '--password', 'correct horse');
  const visitor = new Visitor(server);
  await visitor.submit('/sign-in', { email, password: 'correct horse' });
  return visitor;
}

describe('the statistics of an event', () => {
  // STAT-1, STAT-2, STAT-5
  it('count people who join, leave and wait', async () => {
    const { jana, petr, eva, otto, iva, adam } = await server.people('jana', 'petr', 'eva', 'otto', 'iva', 'adam');
    const { id } = await buildEvent(server, jana, { max_participants: 3 });
    expect(await statsOf(jana, id)).toEqual({
      participants: { confirmed: 0, pending: 0, waitlisted: 0, requested: 0, declined: 0, banned: 0 },
      days: [],
      check_ins: [],
      checked_in: 0,
      waitlist: { joined: 0, promoted: 0, left: 0 },
      offers: { made: 0, accepted: 0, declined: 0, lapsed: 0 },
    });
    for (const who of [petr, eva]) expect((await who.api.post(`/events/${id}/join`)).status).toBe(200);
    for (const who of [otto, iva, adam]) expect((await who.api.post(`/events/${id}/waitlist`)).status).toBe(200);
    await petr.api.delete(`/events/${id}/join`);
    await jana.api.post(`/events/${id}/participants/${otto.slug}/promote`);
    await iva.api.delete(`/events/${id}/join`);
    for (const { slug } of [eva, adam]) await jana.api.delete(`/events/${id}/participants/${slug}?ban=1`);
    expect(await statsOf(jana, id)).toMatchObject({
      participants: { confirmed: 1, waitlisted: 0, banned: 2 },
      days: [{ day: today(), joined: 3, left: 2, confirmed: 1 }],
      waitlist: { joined: 3, promoted: 1, left: 2 },
    });
  });

  // STAT-1, STAT-2
  it('show the state of a single moment, even if people join during the request', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id, eventId } = await buildEvent(server, jana, { with: [[petr, 'pending']] });
    await server.sql('BEGIN');
    await server.sql('LOCK TABLE event_days IN ACCESS EXCLUSIVE MODE');
    const statistics = statsOf(jana, id);
    const selectLockWaits = `SELECT FROM pg_locks WHERE relation = 'event_days'::regclass AND NOT granted`;
    await waitUntil(async () => (await server.sql(selectLockWaits)).length > 0);
    await server.sql(`UPDATE participations SET status = 'confirmed', joined_at = now() WHERE event_id = $1`, [
      eventId,
    ]);
    await server.sql('COMMIT');
    expect(await statistics).toMatchObject({
      participants: { confirmed: 1, pending: 0 },
      days: [{ joined: 1, confirmed: 1 }],
    });
  });

  // STAT-2
  it('preserve the numbers of past days, even after the account of a participant is erased', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const { id } = await buildEvent(server, jana);
    await petr.api.post(`/events/${id}/join`);
    await eva.api.post(`/events/${id}/join`);
    await server.sql(
      `UPDATE event_days SET day = day - 3
        WHERE event_id = (SELECT max(event_id) FROM event_days WHERE what = 'joined')`,
    );
    await server.app.get(OwnDataCommands).erase(petr.slug);
    const { days } = await statsOf(jana, id);
    expect(days).toHaveLength(4);
    expect([days[0], days[2], days[3]]).toMatchObject([
      { joined: 2, left: 0, confirmed: 2 },
      { joined: 0, left: 0, confirmed: 2 },
      { day: today(), joined: 0, left: 1, confirmed: 1 },
    ]);
  });

  // STAT-3
  it('count check-ins for each quarter of an hour', async () => {
    const { jana, petr, eva, otto } = await server.people('jana', 'petr', 'eva', 'otto');
    const { id } = await buildEvent(server, jana, {
      starts_at: inDays(-1),
      with: [
        [petr, 'confirmed'],
        [eva, 'confirmed'],
        [otto, 'confirmed'],
      ],
    });
    for (const { slug } of [petr, eva, otto]) await jana.api.put(`/events/${id}/participants/${slug}/check-in`);
    for (const [who, at] of [
      [petr, '2026-10-01T18:00:00Z'],
      [eva, '2026-10-01T18:14:59Z'],
      [otto, '2026-10-01T18:30:00Z'],
    ] as const)
      await server.sql('UPDATE participations SET checked_in_at = $2 WHERE user_id = $1', [who.userId, at]);
    expect(await statsOf(jana, id)).toMatchObject({
      check_ins: [
        { at: '2026-10-01T18:00:00Z', count: 2 },
        { at: '2026-10-01T18:30:00Z', count: 1 },
      ],
      checked_in: 3,
    });
  });

  // STAT-2
  it('are counted for the day in Prague, even between midnight in Prague and midnight in UTC', async () => {
    const jana = await server.person('jana');
    const { eventId } = await buildEvent(server, jana);
    // In the transactions below, `clock_timestamp()` returns the time `night`, because at_night precedes pg_catalog in
    // the search path.
    await server.sql('CREATE SCHEMA IF NOT EXISTS at_night');
    for (const night of ['2026-07-01T22:30:00Z', '2026-12-01T23:30:00Z']) {
      await server.sql(
        `CREATE OR REPLACE FUNCTION at_night.clock_timestamp() RETURNS timestamptz LANGUAGE sql
         AS $$ SELECT '${night}'::timestamptz $$`,
      );
      await server.app.get(Database).transaction(async (tx) => {
        await tx.rows(statement('test_at_night', 'SET LOCAL search_path = at_night, pg_catalog, public'));
        await server.app.get(StatisticsCommands).countOffers(tx, eventId, 'made');
      });
    }
    expect(await server.sql('SELECT day::text FROM event_days WHERE event_id = $1 ORDER BY day', [eventId])).toEqual([
      { day: '2026-07-02' },
      { day: '2026-12-02' },
    ]);
  });

  // STAT-5
  it('show how many offers the method countOffers has counted as made, accepted and lapsed', async () => {
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana);
    const [row] = await server.sql<{ id: string }>('SELECT max(id) AS id FROM all_events');
    const commands = server.app.get(StatisticsCommands);
    await server.app.get(Database).transaction(async (tx) => {
      await commands.countOffers(tx, Number(row!.id), 'made', 3);
      await commands.countOffers(tx, Number(row!.id), 'accepted');
      await commands.countOffers(tx, Number(row!.id), 'lapsed');
    });
    expect((await statsOf(jana, id)).offers).toEqual({ made: 3, accepted: 1, declined: 0, lapsed: 1 });
  });

  // STAT-5
  it('count the offers of a waitlist as made, accepted, declined or lapsed', async () => {
    const { jana, petr, eva, otto, iva } = await server.people('jana', 'petr', 'eva', 'otto', 'iva');
    const { id } = await buildEvent(server, jana, {
      max_participants: 2,
      waitlist_mode: 'offer',
      with: [
        [petr, 'confirmed'],
        [eva, 'waitlisted'],
        [otto, 'waitlisted'],
        [iva, 'waitlisted'],
      ],
    });
    await petr.api.delete(`/events/${id}/join`);
    await eva.api.delete(`/events/${id}/join`);
    expect((await otto.api.post(`/events/${id}/join`)).status).toBe(200);
    expect((await statsOf(jana, id)).offers).toEqual({ made: 2, accepted: 1, declined: 1, lapsed: 0 });
    await otto.api.delete(`/events/${id}/join`);
    server.clock.forward(25 * 3_600_000);
    await server.job('offers-sweep');
    server.clock.reset();
    expect((await statsOf(jana, id)).offers).toEqual({ made: 3, accepted: 1, declined: 1, lapsed: 1 });
  });

  /** Builds an event of Jana whose only free seat is offered to Eva. */
  async function eventWithOffer() {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const { id } = await buildEvent(server, jana, {
      max_participants: 2,
      waitlist_mode: 'offer',
      with: [
        [petr, 'confirmed'],
        [eva, 'waitlisted'],
      ],
    });
    await petr.api.delete(`/events/${id}/join`);
    return { jana, eva, id };
  }

  // STAT-5
  it('do not count an offer as declined if the organizer promotes the person', async () => {
    const { jana, eva, id } = await eventWithOffer();
    expect((await jana.api.post(`/events/${id}/participants/${eva.slug}/promote`)).status).toBe(200);
    expect((await statsOf(jana, id)).offers).toEqual({ made: 1, accepted: 0, declined: 0, lapsed: 0 });
  });

  // STAT-5
  it.each<[string, (jana: Person, eva: Person, path: string) => Promise<{ status: number }>]>([
    ['the waitlist mode changes to manual', ({ api }, _eva, path) => api.patch(path, { waitlist_mode: 'manual' })],
    ['the join mode changes to tickets', ({ api }, _eva, path) => api.patch(path, { join_mode: 'tickets' })],
    ['the event is cancelled', ({ api }, _eva, path) => api.patch(path, { status: 'cancelled' })],
    ['the organizer blocks the person', ({ api }, { slug }) => api.put(`/blocks/${slug}`)],
    ['the organizer removes the person', ({ api }, { slug }, path) => api.delete(`${path}/participants/${slug}`)],
  ])('do not count an offer as lapsed or declined if it ends because %s', async (_reason, end) => {
    const { jana, eva, id } = await eventWithOffer();
    expect((await jana.api.get(`/events/${id}`)).body.data.open_offers).toBe(1);
    expect((await end(jana, eva, `/events/${id}`)).status).toBeLessThan(300);
    expect((await jana.api.get(`/events/${id}`)).body.data.open_offers).toBe(0);
    expect((await statsOf(jana, id)).offers).toEqual({ made: 1, accepted: 0, declined: 0, lapsed: 0 });
  });

  // STAT-4
  it('are shown to the organizer on a page with charts and tables, and as CSV', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildEvent(server, jana, { title: 'Piknik', with: [[petr, 'confirmed']] });
    const stranger = new Visitor(server);
    for (const path of [`/events/${id}/stats`, `/events/${id}/stats.csv`, '/events/nowhereatall/stats']) {
      const { status, to } = await stranger.get(path);
      expect([status, to]).toEqual([303, expect.stringContaining(encodeURIComponent(path))]);
    }
    const visitor = await signedIn('stats-jana@example.org', jana);
    const page = await visitor.get(`/events/${id}/stats`);
    expect(page.status).toBe(200);
    expect(page.html).toMatch(/<svg class="chart"[^>]*role="img"/);
    expect(page.html).toContain(`<time datetime="${today()}">`);
    expect(page.html).toMatch(/Vy se tu jako pořadatel nepočítáte|You are not counted here/);
    const file = await visitor.get(`/events/${id}/stats.csv`);
    expect(file.html).toBe(`day,joined,left,confirmed\r\n${today()},1,0,1\r\n`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="stats-${id}.csv"`);
    const guest = await signedIn('stats-petr@example.org', petr);
    for (const path of [`/events/${id}/stats`, `/events/${id}/stats.csv`])
      expect((await guest.get(path)).status).toBe(403);
    const hidden = await buildEvent(server, jana, { is_public: false });
    expect((await guest.get(`/events/${hidden.id}/stats`)).status).toBe(404);
    expect((await guest.get('/events/nowhereatall/stats')).status).toBe(404);
  });
});

// STAT-1, STAT-2, STAT-3, STAT-4, STAT-5
it('the page of an event’s statistics shows each number with its label, the days in order, and times in the time zone of the organizer', async () => {
  const jana = await server.person('jana');
  const { id, eventId } = await buildEvent(server, jana);
  await server.sql(
    `WITH people AS (
       INSERT INTO users (slug, name, created_at, updated_at)
       SELECT 'counted-' || n, 'Guest', now(), now() FROM generate_series(1, 27) n RETURNING id
     ), numbered AS (SELECT id, row_number() OVER () AS n FROM people)
     INSERT INTO participations (event_id, user_id, status, joined_at, checked_in_at, created_at, updated_at)
     SELECT $1, id,
            CASE WHEN n <= 7 THEN 'confirmed' WHEN n <= 9 THEN 'pending' WHEN n <= 12 THEN 'waitlisted'
                 WHEN n <= 16 THEN 'requested' WHEN n <= 21 THEN 'declined' ELSE 'banned' END,
            CASE WHEN n <= 7 THEN now() END, CASE WHEN n = 1 THEN '2026-10-01T22:05:00Z'::timestamptz END, now(), now()
       FROM numbered`,
    [eventId],
  );
  await server.sql('DELETE FROM event_days WHERE event_id = $1', [eventId]);
  for (const [day, what, total] of [
    ['2031-03-03', 'left', 6],
    ['2031-03-01', 'joined', 15],
    ['2031-03-03', 'joined', 3],
    ['2031-03-01', 'left', 5],
    ['2031-03-02', 'waitlist_joined', 11],
    ['2031-03-02', 'waitlist_promoted', 12],
    ['2031-03-02', 'waitlist_left', 13],
    ['2031-03-02', 'offers_made', 14],
    ['2031-03-02', 'offers_accepted', 16],
    ['2031-03-02', 'offers_declined', 17],
    ['2031-03-02', 'offers_lapsed', 18],
  ])
    await server.sql('INSERT INTO event_days (event_id, day, what, total) VALUES ($1, $2, $3, $4)', [
      eventId,
      day,
      what,
      total,
    ]);
  await server.sql(`UPDATE users SET locale = 'en', timezone = 'America/New_York' WHERE id = $1`, [jana.userId]);
  const { html } = await (await signedIn('numbers-jana@example.org', jana)).get(`/events/${id}/stats`);
  const figures = [...html.matchAll(/<dt>([^<]+)<\/dt><dd>(\d+)<\/dd>/g)];
  expect(figures.map(([, name, count]) => `${name}: ${count}`)).toEqual([
    'going: 7',
    'checked in at the door: 1',
    'invited: 2',
    'on the waitlist: 3',
    'asking to join: 4',
    'declined: 5',
    'banned: 6',
    'joined the waitlist: 11',
    'got a seat: 12',
    'left the waitlist: 13',
    'made: 14',
    'accepted: 16',
    'declined: 17',
    'expired: 18',
  ]);
  const rows =
    /<time datetime="([^"]+)">[^<]+<\/time><\/th><td data-label="joined">(\d+)<\/td><td data-label="left">(\d+)<\/td><td data-label="going in total">(\d+)<\/td>/g;
  expect([...html.matchAll(rows)].map((row) => row.slice(1).join(' '))).toEqual([
    '2031-03-01 15 5 10',
    '2031-03-02 0 0 10',
    '2031-03-03 3 6 7',
  ]);
  const columns = [...html.matchAll(/<title>([^<]*): ([a-z ]+) (\d+)<\/title>/g)];
  expect(columns.map(([, label, name, count]) => `${label}: ${name} ${count}`)).toEqual([
    '01/03: joined 15',
    '01/03: left 5',
    '03/03: joined 3',
    '03/03: left 6',
    '01/10, 18:00: checked in 1',
  ]);
  await server.sql(`UPDATE users SET locale = 'cs', timezone = 'Europe/Prague' WHERE id = $1`, [jana.userId]);
  const czech = await (await signedIn('numbers-jana@example.org', jana)).get(`/events/${id}/stats`);
  expect(czech.html).toMatch(/<th scope="row">2\.\s10\.\s0:00</);
});

describe('the file with the people of an event', () => {
  // STAT-6
  it('contains all people with a relation to the event except declined people, sorted by status, then by name', async () => {
    const { jana, petr, eva, otto, iva, adam, hugo } = await server.people(
      'jana',
      'petr',
      'eva',
      'otto',
      'iva',
      'adam',
      'hugo',
    );
    const { id } = await buildEvent(server, jana, {
      max_participants: 4,
      waitlist_mode: 'offer',
      with: [
        [petr, 'confirmed'],
        [eva, 'confirmed'],
        [adam, 'confirmed'],
        [otto, 'waitlisted'],
        [iva, 'declined'],
        [hugo, 'banned'],
      ],
    });
    await server.sql(`UPDATE users SET name = '=SUM(1)', nickname = 'P, "p"' WHERE id = $1`, [petr.userId]);
    await server.sql(`UPDATE users SET name = 'Zoe' WHERE id = $1`, [eva.userId]);
    // WIRE-56
    await server.sql(`UPDATE users SET name = 'Čeněk' WHERE id = $1`, [adam.userId]);
    await server.sql(`UPDATE participations SET ticket_code = 'ABCD-EFGH' WHERE user_id = $1`, [eva.userId]);
    // The additional seat is offered to the person on the waitlist.
    await jana.api.patch(`/events/${id}`, { max_participants: 5 });
    const door = `/events/${id}/door`;
    const { token } = (await jana.api.post(`${door}/links`, { name: 'Brána' })).body.data;
    await clientOf(server, token).post(`${door}/scans`, {
      device: 'x',
      scans: [{ user: petr.slug, scanned_at: server.clock.now().toISOString() }],
    });
    const { status, headers, text } = await jana.api.get(`/events/${id}/participants.csv`);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'no-store',
    ]);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="participants-${id}.csv"`);
    const [header, ...rows] = text.split('\r\n');
    expect(header).toBe('name,nickname,slug,status,joined_at,checked_in_at,checked_in_by,ticket_code,offer_expires_at');
    expect(
      rows.filter((row) => row !== '').map((row) => /(confirmed|waitlisted|declined|banned)/.exec(row)?.[1]),
    ).toEqual(['banned', 'confirmed', 'confirmed', 'confirmed', 'waitlisted']);
    const rowOf = ({ slug }: Person) => rows.findIndex((row) => row.includes(slug));
    expect(rowOf(adam)).toBeLessThan(rowOf(eva));
    type Listed = { user: { slug: string }; joined_at: string; checked_in_at: string; offer_expires_at: string };
    const { data } = (await jana.api.get(`/events/${id}/participants`)).body;
    const listed = ({ slug }: Person) => data.find(({ user }: Listed) => user.slug === slug) as Listed;
    expect(rows[rowOf(petr)]).toBe(
      `'=SUM(1),"P, ""p""",${petr.slug},confirmed,${listed(petr).joined_at},${listed(petr).checked_in_at},Brána,,`,
    );
    expect(rows[rowOf(eva)]).toBe(`Zoe,,${eva.slug},confirmed,${listed(eva).joined_at},,,ABCD-EFGH,`);
    expect(rows[rowOf(otto)]).toBe(`${otto.name},,${otto.slug},waitlisted,,,,,${listed(otto).offer_expires_at}`);
    expect((await petr.api.get(`/events/${id}/participants.csv`)).body.code).toBe('forbidden');
  });
});
