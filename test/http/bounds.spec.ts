import { buildEvent, eventBody } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

/**
 * WIRE-10, WIRE-12, WIRE-13, WIRE-17, WIRE-21: the last possible time and day, control characters, titles without a
 * visible character, and links that contain user names.
 */
describe('limits of values', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  // Each test gets a new person, because a person can create only two events a day.
  beforeEach(async () => (jana = await server.person('jana')));

  const refused = (field: string) => ({
    status: 422,
    body: { code: 'validation_failed', errors: { [field]: [expect.any(String)] } },
  });

  describe('for times', () => {
    it.each([
      // Without `ends_at`, an event ends six hours after its start.
      ['9999-12-31T16:59:59Z', 201],
      ['9999-12-31T17:59:59', 201],
      ['9999-12-31T17:00:00Z', 422],
      ['9999-12-31T23:00:00Z', 422],
      ['9999-12-31T23:59:59Z', 422],
      ['9999-12-31T23:59:59-01:00', 422],
    ])('apply to the start of an event: %s gets %d', async (starts_at, status) => {
      const created = await jana.api.post('/events', eventBody({ starts_at, age_min: 1, age_max: 20 }));
      if (status === 422) return expect(created).toMatchObject(refused('starts_at'));
      expect(created).toMatchObject({ status, body: { data: { starts_at: '9999-12-31T16:59:59Z' } } });
      // Petr is far above `age_max` in the year 9999. His age at this time must be computed without an error.
      const petr = await server.person('petr');
      await server.sql(`UPDATE users SET birth_date = '1990-01-01' WHERE id = ${petr.userId}`);
      expect(await petr.api.get(`/discover/events/${created.body.data.id}`)).toMatchObject({
        status: 200,
        body: { data: { viewer: { can_join: false } } },
      });
      expect(await petr.api.post(`/events/${created.body.data.id}/join`)).toMatchObject({
        status: 409,
        body: { code: 'cannot_join' },
      });
      expect((await jana.api.get('/events?scope=upcoming')).body.data).toHaveLength(1);
    });

    it('apply to the end of an event', async () => {
      const { id } = await buildEvent(server, jana);
      expect(await jana.api.patch(`/events/${id}`, { ends_at: '9999-12-31T23:00:00Z' })).toMatchObject(
        refused('ends_at'),
      );
      expect(
        await jana.api.patch(`/events/${id}`, { starts_at: '9999-12-31T20:00:00Z', ends_at: '9999-12-31T22:59:59Z' }),
      ).toMatchObject({ status: 200, body: { data: { ends_at: '9999-12-31T22:59:59Z' } } });
      // Without `ends_at`, the event would end at 2 o'clock of the next day.
      expect(await jana.api.patch(`/events/${id}`, { ends_at: null })).toMatchObject(refused('starts_at'));
    });

    it('apply to `date_from` and `date_to` of Discover: `date_to` cannot be the last possible day', async () => {
      const discover = (query: string) => jana.api.get(`/discover/events?${query}`);
      expect(await discover('date_to=9999-12-31')).toMatchObject(refused('date_to'));
      for (const accepted of [
        'date_to=9999-12-30',
        'date_from=9999-12-31',
        'date_from=1900-01-01',
        'date_to=1900-01-01',
      ])
        expect((await discover(accepted)).status).toBe(200);
      for (const refusedDay of ['10000-01-01', '+010000-01-01', '1899-12-31']) {
        expect(await discover(`date_to=${encodeURIComponent(refusedDay)}`)).toMatchObject(refused('date_to'));
        expect(await discover(`date_from=${encodeURIComponent(refusedDay)}`)).toMatchObject(refused('date_from'));
      }
    });

    const series = (fields: object) => jana.api.post('/series', { title: 'Silvestr', frequency: 'daily', ...fields });

    it.each([
      ['duration_minutes', { starts_at: '9999-12-31T12:00:00Z', duration_minutes: 1440 }],
      ['duration_minutes', { starts_at: '9999-12-31T12:00:00Z', duration_minutes: 660 }],
      ['duration_minutes', { starts_at: '9999-12-30T12:00:00Z', duration_minutes: 1440, occurrences_limit: 2 }],
      ['occurrences_limit', { starts_at: '9999-12-30T12:00:00Z', occurrences_limit: 3 }],
      ['starts_at', { starts_at: '9999-12-31T20:00:00Z' }],
      ['starts_at', { starts_at: '9999-12-31T23:00:00Z' }],
      ['until', { starts_at: '9999-12-30T12:00:00Z', until: '10000-01-01' }],
    ])('apply to a series: the error is for the field %s if the body has %j', async (field, fields) =>
      expect(await series(fields)).toMatchObject(refused(field)),
    );

    it('end a series before an occurrence that would end in the year 10000', async () => {
      const created = await series({ starts_at: '9999-12-31T12:00:00Z', duration_minutes: 659 });
      expect(created).toMatchObject({
        status: 201,
        body: { data: { active: false, next_occurrence_at: '9999-12-31T12:00:00Z' } },
      });
      const occurrences = await jana.api.get(`/series/${created.body.data.id}/events`);
      expect(occurrences.body.data).toMatchObject([{ ends_at: '9999-12-31T22:59:00Z' }]);
      const activeSeries = await series({
        starts_at: '9999-12-30T12:00:00Z',
        duration_minutes: 1439,
        until: '9999-12-31',
      });
      expect(activeSeries).toMatchObject({ status: 201, body: { data: { until: '9999-12-31', active: true } } });
      server.clock.moveTo('9999-12-29T12:00:00Z');
      await server.job('series-extend').finally(() => server.clock.reset());
      // The second occurrence is not created, because it would end in the year 10000.
      expect((await jana.api.get(`/series/${activeSeries.body.data.id}`)).body.data).toMatchObject({
        active: false,
        occurrences_count: 1,
      });
    });
  });

  describe('for texts', () => {
    const BLANK = '\u200b\u2060\u200b';

    it('require a visible character in titles and names', async () => {
      const { id } = await buildEvent(server, jana);
      const refusals = await Promise.all([
        jana.api.post('/events', eventBody({ title: BLANK })),
        jana.api.patch(`/events/${id}`, { title: BLANK }),
        jana.api.post('/series', { title: BLANK, frequency: 'daily', starts_at: '2999-01-01T12:00:00Z' }),
        jana.api.post('/posts', { title: BLANK, body: 'x' }),
        jana.api.post(`/events/${id}/expenses`, { title: BLANK, amount: 5 }),
        jana.api.put(`/events/${id}/itinerary`, { title: BLANK, stops: [] }),
      ]);
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ status: 422, body: { errors: { title: [expect.any(String)] } } });
      expect(await jana.api.post('/groups', { name: BLANK })).toMatchObject(refused('name'));
      const scans = [{ code: 'x', scanned_at: '2026-11-20T18:00:00Z' }];
      expect(await jana.api.post(`/events/${id}/door/scans`, { device: BLANK, scans })).toMatchObject(
        refused('device'),
      );
      expect((await jana.api.get(`/events/${id}`)).body.data.title).toBe('Piknik ve Stromovce');
    });

    it('remove control characters from titles, HTML and names of places before they are stored, and from pages that show older texts', async () => {
      const created = await jana.api.post(
        '/events',
        eventBody({ title: 'A\u0007ho\u001bj\u009f', description: '<p>a&#7;b\u001bc</p>', location_name: '\u0007' }),
      );
      expect(created).toMatchObject({
        status: 201,
        body: { data: { title: 'Ahoj', description: '<p>abc</p>', location_name: null } },
      });
      const { id, eventId } = await buildEvent(server, jana);
      // This row contains control characters, like rows that an older version of the service could store.
      await server.sql(
        `UPDATE events SET title = 'A' || chr(7) || 'hoj' || chr(27), location_name = 'P' || chr(7) || 'raha' WHERE id = ${eventId}`,
      );
      for (const path of [`/events/${id}`, `/events/${id}.ics`]) {
        const page = await new Visitor(server).get(path);
        expect([page.status, page.html.includes('Ahoj')]).toEqual([200, true]);
        expect(page.html).not.toMatch(/[^\P{Cc}\t\r\n]/u);
      }
    });

    it.each(['https://a:b@example.org/', 'https://a@example.org/', 'http://:b@example.org/'])(
      'forbid links with a user name or password: %s',
      async (ticket_url) => {
        const { id } = await buildEvent(server, jana);
        expect(await jana.api.patch(`/events/${id}`, { ticket_url })).toMatchObject(refused('ticket_url'));
        const { body } = await jana.api.patch(`/events/${id}`, {
          ticket_url: 'https://example.org/@a:b',
          description: `<a href="${ticket_url}">x</a>`,
        });
        expect(body.data).toMatchObject({
          ticket_url: 'https://example.org/@a:b',
          description: '<a rel="nofollow noopener ugc">x</a>',
        });
      },
    );
  });
});
