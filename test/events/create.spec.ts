import { buildEvent, eventBody } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { YEAR_AFTER_NEXT, inDays, soon } from '#testing/times';

describe('POST /events', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  // A new person for each test, because a person can create only two events a day.
  beforeEach(async () => (jana = await server.person('jana')));

  // EVT-13, EVT-14
  it('creates an event with default values for missing fields', async () => {
    const answer = await jana.api.post('/events', {
      title: '  Piknik  ',
      starts_at: `${YEAR_AFTER_NEXT}-06-01T18:00:00+02:00`,
    });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^[A-Za-z]{8,}$/),
      title: 'Piknik',
      description: null,
      type: 'other',
      status: 'active',
      starts_at: `${YEAR_AFTER_NEXT}-06-01T16:00:00Z`,
      ends_at: null,
      location_name: null,
      location_address: null,
      latitude: null,
      longitude: null,
      is_public: true,
      join_mode: 'open',
      join_password: null,
      max_participants: null,
      current_participants: 1,
      seeking_company: false,
      age_min: null,
      age_max: null,
      gender_restriction: null,
      price_czk: null,
      price_note: null,
      ticket_url: null,
      ticket_price_credits: 0,
      photos_enabled: false,
      waitlist_mode: 'manual',
      offer_hours: 24,
      open_offers: 0,
      images: [],
      group: null,
      series: null,
      is_recurring: false,
      parent_event: null,
      boosted_until: null,
      is_boosted: false,
      url: `http://127.0.0.1:3000/events/${data.id}`,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await jana.api.get(`/events/${data.id}`)).body.data).toEqual(data);
  });

  // EVT-5, EVT-14
  it('stores and returns every field of the request', async () => {
    const sent = {
      title: 'Výstup na Říp',
      description: '<p onclick="x()">Sraz <b>v 9</b></p><script>alert(1)</script>',
      type: 'walk',
      starts_at: `${YEAR_AFTER_NEXT}-06-01T09:00:00`,
      ends_at: `${YEAR_AFTER_NEXT}-06-01T17:00:00Z`,
      location_name: 'Říp',
      location_address: 'Krabčice 1',
      latitude: 50.3866,
      longitude: 14.2893,
      is_public: false,
      join_mode: 'password',
      join_password: 'praotec',
      max_participants: 12,
      age_min: 15,
      age_max: 99,
      gender_restriction: 'female',
      price_czk: 99.5,
      price_note: 'na místě',
      ticket_url: 'https://example.org/rip',
      photos_enabled: true,
      waitlist_mode: 'offer',
      offer_hours: 48,
    };
    const { body, status } = await jana.api.post('/events', sent);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      ...sent,
      starts_at: `${YEAR_AFTER_NEXT}-06-01T07:00:00Z`,
      description: '<p>Sraz <b>v 9</b></p>',
    });
  });

  // EVT-10
  it('encrypts the join password in the database', async () => {
    await jana.api.post('/events', eventBody({ join_mode: 'password', join_password: 'tajemství' }));
    const [row] = await server.sql<{ join_password_sealed: string }>(
      'SELECT join_password_sealed FROM events WHERE organizer_id = $1',
      [jana.userId],
    );
    expect(row?.join_password_sealed).toEqual(expect.any(String));
    expect(Buffer.from(row?.join_password_sealed ?? '', 'base64').toString('utf8')).not.toContain('tajemství');
  });

  const refused: [string, Record<string, unknown>, string][] = [
    ['a missing title', { title: undefined }, 'title'],
    ['a short title', { title: 'ab' }, 'title'],
    ['a long title', { title: 'x'.repeat(101) }, 'title'],
    ['an empty title', { title: '   ' }, 'title'],
    ['a title that is not a text', { title: 1 }, 'title'],
    ['a NUL character in the title', { title: 'abc\u0000' }, 'title'],
    ['a missing start', { starts_at: undefined }, 'starts_at'],
    ['a start in the past', { starts_at: '2020-01-01T10:00:00Z' }, 'starts_at'],
    ['a day without a time', { starts_at: '2031-01-01' }, 'starts_at'],
    ['30 February', { starts_at: '2031-02-30T10:00:00Z' }, 'starts_at'],
    ['an end before the start', { ends_at: '2020-01-01T10:00:00Z' }, 'ends_at'],
    ['an unknown type', { type: 'orgy' }, 'type'],
    ['a type that is null', { type: null }, 'type'],
    ['a long description', { description: 'x'.repeat(5001) }, 'description'],
    ['a latitude without a longitude', { latitude: 50 }, 'longitude'],
    ['a longitude without a latitude', { longitude: 14 }, 'latitude'],
    ['latitude 91', { latitude: 91, longitude: 14 }, 'latitude'],
    ['latitude as text', { latitude: '50', longitude: 14 }, 'latitude'],
    ['a missing join password', { join_mode: 'password' }, 'join_password'],
    ['a maximum of one participant', { max_participants: 1 }, 'max_participants'],
    ['a maximum of 101 participants', { max_participants: 101 }, 'max_participants'],
    ['a maximum of 2.5 participants', { max_participants: 2.5 }, 'max_participants'],
    ['a minimum age above the maximum age', { age_min: 30, age_max: 20 }, 'age_max'],
    ['a minimum age of 0', { age_min: 0 }, 'age_min'],
    ['an unknown gender', { gender_restriction: 'other' }, 'gender_restriction'],
    ['a negative price', { price_czk: -1 }, 'price_czk'],
    ['a price that is too high', { price_czk: 10_001 }, 'price_czk'],
    ['a script as ticket URL', { ticket_url: 'javascript:alert(1)' }, 'ticket_url'],
    ['is_public as text', { is_public: 'true' }, 'is_public'],
    ['an unknown group', { group: 'nowhereatall' }, 'group'],
    ['seeking company without a maximum of participants', { seeking_company: true }, 'seeking_company'],
    ['seeking company with a maximum of 11', { seeking_company: true, max_participants: 11 }, 'seeking_company'],
    [
      'seeking company for a private event',
      { seeking_company: true, max_participants: 5, is_public: false },
      'seeking_company',
    ],
    [
      'seeking company with tickets',
      { seeking_company: true, max_participants: 5, join_mode: 'tickets' },
      'seeking_company',
    ],
  ];
  // EVT-1, EVT-2, EVT-3, EVT-4, EVT-6, EVT-7, EVT-8, EVT-9, EVT-12, WIRE-17, WIRE-19
  it.each(refused)(
    'refuses %s, and does not count the attempt towards the daily limit',
    async (_, overrides, field) => {
      const answer = await jana.api.post('/events', eventBody(overrides));
      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
      const [row] = await server.sql<{ n: number }>(
        'SELECT count(*)::int AS n FROM daily_counters WHERE user_id = $1',
        [jana.userId],
      );
      expect(row?.n).toBe(0);
    },
  );

  // WIRE-22
  it('ignores unknown and read-only fields', async () => {
    const { body } = await jana.api.post(
      '/events',
      eventBody({ id: 'x', status: 'cancelled', current_participants: 9, ticket_price_credits: 5, nonsense: {} }),
    );
    expect(body.data).toMatchObject({ status: 'active', current_participants: 1, ticket_price_credits: 0 });
  });

  // EVT-9, WIRE-11
  it('reads the join password if the join mode is sent as " password ", with spaces around it', async () => {
    const { petr } = await server.people('petr');
    const sent = (join_password: string) => ({ join_mode: ' password ', join_password });
    const created = await petr.api.post('/events', eventBody(sent('sezam')));
    expect(created.body.data).toMatchObject({ join_mode: 'password', join_password: 'sezam' });
    const changed = await petr.api.patch(`/events/${created.body.data.id}`, sent('makovice'));
    expect(changed.body.data).toMatchObject({ join_mode: 'password', join_password: 'makovice' });
  });

  // EVT-9, WIRE-22: a password is validated only if the join mode after the request is "password".
  it('ignores any join password if the join mode is not "password"', async () => {
    const nonsense = ['x'.repeat(101), 5, {}, null];
    for (const join_password of nonsense) {
      const { petr } = await server.people('petr');
      const { id } = (await petr.api.post('/events', eventBody({ join_password }))).body.data;
      const change = (fields: Record<string, unknown>) => petr.api.patch(`/events/${id}`, fields);
      expect((await change({ join_password, join_mode: 'request' })).body.data).toMatchObject({
        join_mode: 'request',
        join_password: null,
      });
      expect((await change({ join_password })).status).toBe(200);
      expect(Object.keys((await change({ join_password, join_mode: 'password' })).body.errors)).toEqual([
        'join_password',
      ]);
      expect((await change({ join_password: 'sezam', join_mode: 'password' })).body.data.join_password).toBe('sezam');
      expect((await change({ join_password })).status).toBe(422);
      const series = await petr.api.post('/series', {
        title: 'Řada',
        starts_at: inDays(3),
        frequency: 'weekly',
        occurrences_limit: 2,
        join_password,
      });
      expect([
        series.status,
        (await petr.api.patch(`/series/${series.body.data.id}`, { join_password })).status,
      ]).toEqual([201, 200]);
    }
  });

  // EVT-9
  it.each(['open', 'tickets', 'request'])(
    'ignores any join password in a request that changes the join mode from "password" to "%s", for an event and for a series',
    async (join_mode) => {
      const withPassword = { join_mode: 'password', join_password: 'sezam' } as const;
      for (const join_password of ['x'.repeat(101), '', 5, {}]) {
        const event = await buildEvent(server, jana, withPassword);
        const series = await buildSeries(server, jana, { ...withPassword, occurrencesLimit: 2 });
        for (const path of [`/events/${event.id}`, `/series/${series.id}`]) {
          const refused = await jana.api.patch(path, { join_password });
          expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([422, ['join_password']]);
          const changed = await jana.api.patch(path, { join_mode, join_password });
          expect([changed.status, changed.body.data]).toEqual([
            200,
            expect.objectContaining({ join_mode, join_password: null }),
          ]);
        }
      }
    },
  );

  // EVT-1
  it('accepts a start at the time of the request, and refuses a start one second earlier', async () => {
    const now = new Date('2031-01-10T12:00:00Z');
    server.clock.freezeAt(now);
    const past = await jana.api.post('/events', eventBody({ starts_at: '2031-01-10T11:59:59Z' }));
    expect([past.status, Object.keys(past.body.errors)]).toEqual([422, ['starts_at']]);
    expect((await jana.api.post('/events', eventBody({ starts_at: '2031-01-10T12:00:00Z' }))).status).toBe(201);
  });

  // EVT-2
  it('stores null as the description if nothing remains of the sent HTML after sanitizing', async () => {
    const nothing = '<script>alert(1)</script>';
    const { data } = (await jana.api.post('/events', eventBody({ description: nothing }))).body;
    expect(data.description).toBeNull();
    const describe = async (description: string) =>
      (await jana.api.patch(`/events/${data.id}`, { description })).body.data.description;
    expect([await describe('<p>Text</p>'), await describe(nothing)]).toEqual(['<p>Text</p>', null]);
  });

  // EVT-8
  it('accepts a price with two decimals, and refuses a price with three', async () => {
    expect((await jana.api.post('/events', eventBody({ price_czk: 99.99 }))).body.data.price_czk).toBe(99.99);
    const refusal = await jana.api.post('/events', eventBody({ price_czk: 99.999 }));
    expect([refusal.status, Object.keys(refusal.body.errors)]).toEqual([422, ['price_czk']]);
  });

  // EVT-18
  it('allows a person to create two events per day (Prague time), and also counts deleted events', async () => {
    server.clock.moveTo('2031-01-10T22:00:00Z'); // 23:00 in Prague
    const body = { title: 'Zítra', starts_at: '2031-02-01T10:00:00Z' };
    const first = await jana.api.post('/events', body);
    await jana.api.delete(`/events/${first.body.data.id}`);
    expect((await jana.api.post('/events', body)).status).toBe(201);
    const third = await jana.api.post('/events', body);
    expect([third.status, third.body.code]).toEqual([429, 'daily_event_limit']);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(Number(third.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    server.clock.forward(3_700_000);
    expect((await jana.api.post('/events', body)).status).toBe(201);
  });

  // EVT-18, WIRE-37
  it('refuses an invalid event with 422 even if the person has already created two events on this day', async () => {
    const stranger = await server.person('petr');
    const group = await buildGroup(server, stranger);
    for (let i = 0; i < 2; i++) expect((await jana.api.post('/events', eventBody())).status).toBe(201);
    const refused: [string, Record<string, unknown>][] = [
      ['title', { title: 'ab' }],
      ['starts_at', { starts_at: inDays(-1) }],
      ['ends_at', { starts_at: inDays(3), ends_at: inDays(2) }],
      ['age_max', { age_min: 30, age_max: 20 }],
      ['longitude', { latitude: 50 }],
      ['join_password', { join_mode: 'password' }],
      ['seeking_company', { seeking_company: true }],
      ['group', { group: group.id }],
      ['group', { group: 'nowhereatall' }],
    ];
    for (const [field, fields] of refused) {
      const { status, body } = await jana.api.post('/events', eventBody(fields));
      expect([field, status, Object.keys(body.errors ?? {})]).toEqual([field, 422, [field]]);
    }
    expect((await jana.api.post('/events', eventBody())).body.code).toBe('daily_event_limit');
  });

  // WIRE-8
  it('reads a time without an offset as Prague time, even if the clock change in spring skips this time', async () => {
    server.clock.moveTo('2031-01-10T12:00:00Z');
    const { body } = await jana.api.post(
      '/events',
      eventBody({ starts_at: '2031-03-30T02:30:00', ends_at: '2031-03-31T10:00:00Z' }),
    );
    expect(body.data.starts_at).toBe('2031-03-30T01:30:00Z');
  });

  // EVT-17, WIRE-35
  it('lists all invalid fields in `errors`, and describes the first of them in the message', async () => {
    const { body } = await jana.api.send('POST', '/events', {
      json: { title: 'ab', starts_at: soon(), type: 'x' },
      headers: { 'accept-language': 'en' },
    });
    expect(Object.keys(body.errors)).toEqual(['title', 'type']);
    expect(body.message).toBe(`${body.errors.title[0]} (and 1 more)`);
  });

  // EVT-17
  it('reports a start in the past in the same answer as errors of rules that compare two fields', async () => {
    const past = { starts_at: '2020-01-02T10:00:00Z', ends_at: '2020-01-01T10:00:00Z' };
    const { body } = await jana.api.post('/events', eventBody({ ...past, age_min: 30, age_max: 18 }));
    expect(Object.keys(body.errors)).toEqual(['starts_at', 'ends_at', 'age_max']);
  });
});
