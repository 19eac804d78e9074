import { YEAR_AFTER_NEXT, inDays, soon } from '#testing/times';
import type { Person } from '#testing/people';
import { buildSeries, occurrencesOf, refusedFields, seriesBody } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';
import { addDays, pragueDay } from '#platform/time/prague';

const DAY_MS = 86_400_000;

/** Tests the rules of docs/rules/series.md about the creation of series. */
describe('POST /series', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  // Each test needs a new person, because a person may create only two series and events a day in total.
  beforeEach(async () => (jana = await server.person('jana')));

  // SER-2, SER-6, SER-10
  it('creates a series with default values, and its occurrences of the next 8 weeks', async () => {
    const start = soon(1);
    const { status, body } = await jana.api.post('/series', {
      title: '  Běhání  ',
      starts_at: start,
      frequency: 'weekly',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[A-Za-z]{8,}$/),
        active: true,
        cancelled_at: null,
        frequency: 'weekly',
        interval: 1,
        until: null,
        occurrences_limit: null,
        duration_minutes: null,
        starts_at: start,
        title: 'Běhání',
        description: null,
        type: 'other',
        location_name: null,
        location_address: null,
        latitude: null,
        longitude: null,
        is_public: true,
        photos_enabled: false,
        waitlist_mode: 'manual',
        offer_hours: 24,
        join_mode: 'open',
        join_password: null,
        max_participants: null,
        age_min: null,
        age_max: null,
        gender_restriction: null,
        price_czk: null,
        price_note: null,
        ticket_url: null,
        occurrences_count: 8,
        next_occurrence_at: start,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    });
    expect((await jana.api.get(`/series/${body.data.id}`)).body).toEqual(body);
    const days = (await occurrencesOf(jana, body.data.id)).map(({ starts_at }) => pragueDay(new Date(starts_at)));
    expect(days).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((week) => addDays(pragueDay(new Date(start)), 7 * week)));
  });

  // SER-1
  it('creates occurrences that are ordinary events and have every field of the template', async () => {
    const template = {
      title: 'Výstup na Říp',
      description: '<p>Sraz <b>v 9</b></p>',
      type: 'walk',
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
    const sent = { ...template, description: '<p onclick="x()">Sraz <b>v 9</b></p><script>alert(1)</script>' };
    const { body } = await jana.api.post(
      '/series',
      seriesBody({ ...sent, duration_minutes: 90, occurrences_limit: 3 }),
    );
    expect(body.data).toMatchObject({
      ...template,
      duration_minutes: 90,
      occurrences_limit: 3,
      active: false,
      occurrences_count: 3,
    });
    const occurrences = await occurrencesOf(jana, body.data.id);
    expect(occurrences).toHaveLength(3);
    for (const [index, occurrence] of occurrences.entries()) {
      expect(occurrence).toMatchObject({
        ...template,
        status: 'active',
        seeking_company: false,
        current_participants: 1,
        series: body.data.id,
        is_recurring: true,
        parent_event: index === 0 ? null : occurrences[0]?.id,
      });
      expect(Date.parse(occurrence.ends_at ?? '') - Date.parse(occurrence.starts_at)).toBe(90 * 60_000);
      expect((await jana.api.get(`/events/${occurrence.id}`)).body.data).toEqual(occurrence);
    }
    expect((await jana.api.get('/events')).body.meta.total).toBe(3);
  });

  it('encrypts the join password in the database', async () => {
    await jana.api.post('/series', seriesBody({ join_mode: 'password', join_password: 'tajemství' }));
    const [row] = await server.sql<{ stored: string }>(
      `SELECT s.template::text || e.join_password_sealed AS stored FROM series s
         JOIN events e ON e.series_id = s.id WHERE s.organizer_id = $1`,
      [jana.userId],
    );
    expect(row?.stored).toEqual(expect.any(String));
    expect(row?.stored).not.toContain('tajemství');
  });

  // SER-6
  it('always creates the first occurrence, even if it starts more than 8 weeks from now', async () => {
    const { body } = await jana.api.post('/series', seriesBody({ starts_at: soon(200), frequency: 'daily' }));
    expect(body.data).toMatchObject({ active: true, occurrences_count: 1, next_occurrence_at: body.data.starts_at });
  });

  // WIRE-8
  it('reads a start without an offset as Prague time', async () => {
    const { body } = await jana.api.post('/series', seriesBody({ starts_at: `${YEAR_AFTER_NEXT}-06-01T19:30:00` }));
    expect(body.data.starts_at).toBe(`${YEAR_AFTER_NEXT}-06-01T17:30:00Z`);
  });

  it.each([
    ['`until` is the day of the third occurrence', 14, 3],
    ['`until` is the day before the third occurrence', 13, 2],
  ])('creates occurrences until the day of `until`, including this day: %s', async (_what, days, count) => {
    const start = soon(1);
    const { body } = await jana.api.post(
      '/series',
      seriesBody({ starts_at: start, until: addDays(pragueDay(new Date(start)), days) }),
    );
    expect(body.data).toMatchObject({ active: false, occurrences_count: count, cancelled_at: null });
  });

  // SER-8
  it('shows `active` true for a finite series if some of its occurrences will be created later', async () => {
    const { body } = await jana.api.post('/series', seriesBody({ occurrences_limit: 104 }));
    expect(body.data).toMatchObject({ active: true, occurrences_count: 8 });
  });

  const start = soon(7);
  const firstDay = pragueDay(new Date(start));
  const refused: [string, Record<string, unknown>, string][] = [
    ['a missing title', { title: undefined }, 'title'],
    ['a short title', { title: 'ab' }, 'title'],
    ['a missing start', { starts_at: undefined }, 'starts_at'],
    ['null as `starts_at`', { starts_at: null }, 'starts_at'],
    ['a start in the past', { starts_at: '2020-01-01T10:00:00Z' }, 'starts_at'],
    ['a day without a time', { starts_at: '2031-01-01' }, 'starts_at'],
    ['a missing frequency', { frequency: undefined }, 'frequency'],
    ['the frequency `yearly`', { frequency: 'yearly' }, 'frequency'],
    ['an interval of 0', { interval: 0 }, 'interval'],
    ['an interval of 53', { interval: 53 }, 'interval'],
    ['an interval of 1.5', { interval: 1.5 }, 'interval'],
    ['an interval that is a text', { interval: '2' }, 'interval'],
    ['null as `interval`', { interval: null }, 'interval'],
    ['an `until` that is the day of the first occurrence', { starts_at: start, until: firstDay }, 'until'],
    ['an `until` before the day of the first occurrence', { starts_at: start, until: addDays(firstDay, -1) }, 'until'],
    ['an `until` with a time', { until: '2031-01-01T10:00:00Z' }, 'until'],
    ['30 February as `until`', { until: '2031-02-30' }, 'until'],
    ['`until` together with a limit', { until: '2031-01-01', occurrences_limit: 5 }, 'occurrences_limit'],
    ['a limit of 1 occurrence', { occurrences_limit: 1 }, 'occurrences_limit'],
    ['a limit of 105 occurrences', { occurrences_limit: 105 }, 'occurrences_limit'],
    ['a duration of 14 minutes', { duration_minutes: 14 }, 'duration_minutes'],
    ['a duration of 1441 minutes', { duration_minutes: 1441 }, 'duration_minutes'],
    ['a latitude without a longitude', { latitude: 50 }, 'longitude'],
    ['a minimum age above the maximum age', { age_min: 30, age_max: 20 }, 'age_max'],
    ['a missing join password', { join_mode: 'password' }, 'join_password'],
    ['101 participants', { max_participants: 101 }, 'max_participants'],
    ['a price that is too high', { price_czk: 10_001 }, 'price_czk'],
  ];
  // SER-2, SER-3
  it.each(refused)('refuses %s, and creates nothing', async (_what, fields, field) => {
    expect(refusedFields(await jana.api.post('/series', seriesBody(fields)))).toEqual([field]);
    expect((await jana.api.get('/series')).body.meta.total).toBe(0);
  });

  // SER-2
  it('does not count a refused request towards the limit of two creations a day', async () => {
    expect((await jana.api.post('/series', seriesBody({ age_min: 30, age_max: 20 }))).status).toBe(422);
    for (const status of [201, 201, 429]) expect((await jana.api.post('/series', seriesBody())).status).toBe(status);
  });

  // EVT-17
  it('reports mistakes in the recurrence and in the fields of the events in one response', async () => {
    const body = seriesBody({ starts_at: '2020-01-01T10:00:00Z', join_mode: 'password', latitude: 50 });
    expect(refusedFields(await jana.api.post('/series', body)).sort()).toEqual([
      'join_password',
      'longitude',
      'starts_at',
    ]);
  });

  it.each([
    ['interval', [1, 52]],
    ['occurrences_limit', [2, 104]],
    ['duration_minutes', [15, 1440]],
  ])('accepts the lowest and the highest allowed value of %s', async (field, bounds) => {
    for (const bound of bounds)
      expect((await jana.api.post('/series', seriesBody({ [field]: bound }))).body.data[field]).toBe(bound);
  });

  // SER-2
  it('accepts a start at the time of the request, and refuses a start one second earlier', async () => {
    server.clock.freezeAt('2031-01-10T12:00:00Z');
    const create = (starts_at: string) => jana.api.post('/series', seriesBody({ starts_at }));
    expect(refusedFields(await create('2031-01-10T11:59:59Z'))).toEqual(['starts_at']);
    expect((await create('2031-01-10T12:00:00Z')).status).toBe(201);
  });

  // SER-3
  it('compares `until` with the day of the first occurrence in Prague, not in UTC', async () => {
    server.clock.moveTo('2031-05-01T12:00:00Z');
    const create = (until: string) =>
      jana.api.post('/series', seriesBody({ starts_at: '2031-06-09T22:30:00Z', until }));
    // In Prague the first occurrence starts on 10 June at 0:30.
    expect(refusedFields(await create('2031-06-10'))).toEqual(['until']);
    expect((await create('2031-06-11')).body.data.occurrences_count).toBe(1);
  });

  // SER-6
  it('creates the occurrences of the next 56 × 24 hours, including an occurrence that starts exactly at the end', async () => {
    const starts = async (now: string) => {
      server.clock.freezeAt(now);
      const petr = await server.person('petr');
      const { id } = (await petr.api.post('/series', seriesBody({ starts_at: now }))).body.data;
      return (await occurrencesOf(petr, id)).map(({ starts_at }) => starts_at);
    };
    const inSummer = await starts('2031-06-02T10:00:00Z');
    expect([inSummer.length, inSummer.at(-1)]).toEqual([9, '2031-07-28T10:00:00Z']);
    // Because of the clock change in autumn, the ninth occurrence starts one hour after the end of the 56 × 24 hours.
    const inAutumn = await starts('2031-09-15T10:00:00Z');
    expect([inAutumn.length, inAutumn.at(-1)]).toEqual([8, '2031-11-03T11:00:00Z']);
  });

  it('reports all missing fields in one response', async () => {
    expect(refusedFields(await jana.api.post('/series')).sort()).toEqual(['frequency', 'starts_at', 'title']);
  });

  // SER-11, EVT-18
  it('counts towards the limit of two creations a day, which applies to series and events together', async () => {
    expect((await jana.api.post('/series', seriesBody())).status).toBe(201);
    expect((await jana.api.post('/events', { title: 'Piknik', starts_at: soon() })).status).toBe(201);
    const { status, body, headers } = await jana.api.post('/series', seriesBody());
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'daily_event_limit' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await jana.api.get('/series')).body.meta.total).toBe(1);
  });

  // A series is live if it is active, or if it is not cancelled and has upcoming occurrences.
  describe('the limit of five live series', () => {
    const createSeries = async (count: number) => {
      for (let i = 0; i < count; i++) await buildSeries(server, jana);
    };
    const statusesOfParallelRequests = async (count: number, starts_at = soon(1)) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () => jana.api.post('/series', seriesBody({ starts_at }))),
      );
      return answers.map(({ status }) => status).sort();
    };

    const requestsWaitingForLock = async () => {
      const rows = await server.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0]?.n ?? 0;
    };

    // SER-11
    it('refuses the sixth series with 409, even if the daily limit is also reached', async () => {
      await createSeries(5);
      const { status, body } = await jana.api.post('/series', seriesBody());
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'conflict' });
      expect((await jana.api.post('/events', { title: 'Piknik', starts_at: soon() })).status).toBe(201);
      expect((await jana.api.post('/events', { title: 'Piknik', starts_at: soon() })).status).toBe(201);
      expect((await jana.api.post('/series', seriesBody())).status).toBe(409);
      expect(refusedFields(await jana.api.post('/series', seriesBody({ title: 'x' })))).toEqual(['title']);
    });

    // WIRE-37, SER-11
    it('is checked after the body: an invalid series is refused with 422', async () => {
      await createSeries(5);
      const refused: [string, Record<string, unknown>][] = [
        ['starts_at', { starts_at: inDays(-1) }],
        ['until', { until: '2020-01-01' }],
        ['occurrences_limit', { until: pragueDay(inDays(30)), occurrences_limit: 3 }],
        ['join_password', { join_mode: 'password' }],
        ['age_max', { age_min: 30, age_max: 20 }],
        ['longitude', { latitude: 50 }],
      ];
      for (const [field, fields] of refused)
        expect([field, refusedFields(await jana.api.post('/series', seriesBody(fields)))]).toEqual([field, [field]]);
    });

    // SER-11
    it('is not exceeded by parallel requests, even if all of them count the series before any of them commits', async () => {
      await createSeries(4);
      // While this lock is held, no request can store an occurrence. The test releases the lock when all requests wait.
      // The promise is returned in an object, so that the transaction ends without waiting for the responses.
      const { answers } = await server.database.transaction(async (tx) => {
        await tx.manager.query('LOCK TABLE all_events IN SHARE MODE');
        const requests = statusesOfParallelRequests(6);
        await waitUntil(async () => (await requestsWaitingForLock()) >= 6);
        return { answers: requests };
      });
      expect(await answers).toEqual([201, 409, 409, 409, 409, 409]);
    });

    // SER-11
    it('does not count cancelled and past series, and counts finite series with upcoming occurrences', async () => {
      await createSeries(2);
      await buildSeries(server, jana, { startsAt: inDays(-90), occurrencesLimit: 3 });
      const cancelled = await buildSeries(server, jana);
      await jana.api.post(`/series/${cancelled.id}/cancel`);
      await buildSeries(server, jana, { startsAt: inDays(-8), occurrencesLimit: 3 });
      await buildSeries(server, jana, { occurrencesLimit: 3 });
      expect(await statusesOfParallelRequests(2)).toEqual([201, 409]);
      // 40 days later, the two finite series that were counted have ended, and the daily limit is reset.
      server.clock.forward(40 * DAY_MS);
      expect(await statusesOfParallelRequests(3, soon(60))).toEqual([201, 201, 409]);
    });

    // SER-11
    it('does not count a cancelled series, even if its occurrence that had already started is moved to the future', async () => {
      await createSeries(4);
      const cancelled = await buildSeries(server, jana, { startsAt: inDays(-0.1), occurrencesLimit: 2 });
      const [started] = await occurrencesOf(jana, cancelled.id);
      await jana.api.post(`/series/${cancelled.id}/cancel`);
      const moved = await jana.api.patch(`/events/${started?.id}`, { starts_at: soon(9) });
      expect(moved.body.data).toMatchObject({ status: 'active', series: cancelled.id });
      expect((await jana.api.post('/series', seriesBody())).status).toBe(201);
      expect((await jana.api.post('/series', seriesBody())).status).toBe(409);
    });
  });
});
