import { inDays } from '#testing/times';
import type { Person } from '#testing/people';
import { buildSeries, occurrencesOf, refusedFields } from '#testing/series';
import { TestServer } from '#testing/test-server';

/** SER-9, SER-10, SER-12, SER-13 */
describe('reading series', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());

  /** Removes or restores the first occurrence of a series, as a moderator’s decision does. */
  const setFirstRemoved = (seriesId: number, removed: boolean) =>
    server.sql(
      `UPDATE all_events SET removed_at = $2
        WHERE series_id = $1 AND series_index = (SELECT min(series_index) FROM all_events WHERE series_id = $1)`,
      [seriesId, removed ? server.clock.now() : null],
    );

  describe('GET /series', () => {
    // SER-13, WIRE-25
    it('lists the person’s own series, newest first, in pages', async () => {
      const organizer = await server.person('organizer');
      for (const title of ['první', 'druhá', 'třetí']) await buildSeries(server, organizer, { title });
      const titles = async (query: string) =>
        (await organizer.api.get(`/series${query}`)).body.data.map((one: { title: string }) => one.title);
      expect(await titles('')).toEqual(['třetí', 'druhá', 'první']);
      expect(await titles('?per_page=2&page=2')).toEqual(['první']);
      const { body } = await organizer.api.get('/series?per_page=2');
      expect(body.meta).toMatchObject({ total: 3, last_page: 2, current_page: 1, per_page: 2 });
      const [newest] = body.data;
      expect((await organizer.api.get(`/series/${newest.id}`)).body.data).toEqual(newest);
      expect((await petr.api.get('/series')).body.data).toEqual([]);
    });

    it.each(['page=0', 'per_page=0', 'per_page=101', 'per_page=x'])(
      'refuses the invalid parameter %s',
      async (query) => {
        expect(refusedFields(await jana.api.get(`/series?${query}`))).toHaveLength(1);
      },
    );
  });

  describe('GET /series/{id}', () => {
    // SER-10
    it('counts existing occurrences, and shows the next active occurrence that has not started', async () => {
      const series = await buildSeries(server, jana, { startsAt: inDays(-10), occurrencesLimit: 5 });
      const [, , first, second, third] = await occurrencesOf(jana, series.id);
      await jana.api.delete(`/events/${first?.id}`);
      await jana.api.patch(`/events/${second?.id}`, { status: 'cancelled' });
      const { data } = (await jana.api.get(`/series/${series.id}`)).body;
      expect(data).toMatchObject({ occurrences_count: 4, next_occurrence_at: third?.starts_at, active: false });
      await jana.api.delete(`/events/${third?.id}`);
      expect((await jana.api.get(`/series/${series.id}`)).body.data).toMatchObject({
        occurrences_count: 3,
        next_occurrence_at: null,
      });
    });

    // SER-10
    it('shows the earliest upcoming occurrence, even after the first occurrence was moved to a time after the second occurrence', async () => {
      const series = await buildSeries(server, jana, { startsAt: inDays(2), occurrencesLimit: 2 });
      const [first, second] = await occurrencesOf(jana, series.id);
      await jana.api.patch(`/events/${first?.id}`, { starts_at: inDays(30) });
      expect((await jana.api.get(`/series/${series.id}`)).body.data.next_occurrence_at).toBe(second?.starts_at);
    });

    // SER-10, MOD-5
    it('ignores an occurrence while it is removed by a moderator', async () => {
      const { id, seriesId } = await buildSeries(server, jana, { occurrencesLimit: 3 });
      const [first, second] = await occurrencesOf(jana, id);
      const shown = async () => {
        const one = (await jana.api.get(`/series/${id}`)).body.data;
        const listed = (await jana.api.get('/series')).body.data as { id: string }[];
        expect(listed.find((series) => series.id === id)).toEqual(one);
        const { total } = (await jana.api.get(`/series/${id}/events`)).body.meta;
        return [one.occurrences_count, total, one.next_occurrence_at];
      };
      expect(await shown()).toEqual([3, 3, first?.starts_at]);
      await setFirstRemoved(seriesId, true);
      expect(await shown()).toEqual([2, 2, second?.starts_at]);
      await setFirstRemoved(seriesId, false);
      expect(await shown()).toEqual([3, 3, first?.starts_at]);
    });

    // SER-12
    it('answers 404 to other people on every route of the series, as for an id that does not exist', async () => {
      const { id } = await buildSeries(server, jana);
      const event = (await occurrencesOf(jana, id))[0]?.id;
      for (const unknown of [id, 'nowhereatall', '1', event]) {
        for (const answer of [
          await petr.api.get(`/series/${unknown}`),
          await petr.api.get(`/series/${unknown}/events`),
          await petr.api.get(`/series/${unknown}/events?per_page=0`),
          await petr.api.patch(`/series/${unknown}`, { title: 'x' }),
          await petr.api.post(`/series/${unknown}/cancel`),
        ])
          expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
      }
      expect((await jana.api.get(`/series/${event}`)).status).toBe(404);
      expect((await jana.api.get(`/series/${id}`)).body.data).toMatchObject({ active: true, title: 'Běhání v Oboře' });
    });
  });

  describe('GET /series/{id}/events', () => {
    // SER-13
    it('lists occurrences sorted by start; with scope=upcoming it lists only active occurrences that have not started', async () => {
      const series = await buildSeries(server, jana, { startsAt: inDays(-7.1), occurrencesLimit: 5 });
      const [, started, cancelled, third, fourth] = await occurrencesOf(jana, series.id);
      await jana.api.patch(`/events/${cancelled?.id}`, { status: 'cancelled' });
      expect(Date.parse(started?.starts_at ?? '')).toBeLessThan(Date.now());
      expect((await occurrencesOf(jana, series.id, 'upcoming')).map(({ id }) => id)).toEqual([third?.id, fourth?.id]);
      const { body } = await jana.api.get(`/series/${series.id}/events?per_page=2&page=2`);
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual([cancelled?.id, third?.id]);
      expect(body.meta).toMatchObject({ total: 5, last_page: 3 });
    });

    // SER-13
    it('lists a moved occurrence at the position of its new start', async () => {
      const { id } = await buildSeries(server, jana, { startsAt: inDays(-7.1), occurrencesLimit: 4 });
      const [past, started, third, fourth] = await occurrencesOf(jana, id);
      await jana.api.patch(`/events/${third?.id}`, { starts_at: inDays(30) });
      const list = async (query: string): Promise<unknown[]> => {
        const { data, meta } = (await jana.api.get(`/series/${id}/events?${query}`)).body;
        return [data.map((event: { id: string }) => event.id), meta.total];
      };
      expect(await list('')).toEqual([[past?.id, started?.id, fourth?.id, third?.id], 4]);
      expect(await list('scope=upcoming')).toEqual([[fourth?.id, third?.id], 2]);
    });

    // SER-9
    it('shows the first existing occurrence as the parent event of the others', async () => {
      const series = await buildSeries(server, jana, { occurrencesLimit: 3 });
      const [first] = await occurrencesOf(jana, series.id);
      await jana.api.delete(`/events/${first?.id}`);
      const [second, third] = await occurrencesOf(jana, series.id);
      expect([second?.parent_event, third?.parent_event]).toEqual([null, second?.id]);
    });

    // SER-9, MOD-5
    it('shows the second occurrence as the parent event while the first occurrence is removed by a moderator', async () => {
      const series = await buildSeries(server, jana, { occurrencesLimit: 3 });
      const [first, second, third] = (await occurrencesOf(jana, series.id)).map(({ id }) => id);
      const parents = async () => {
        const listed = (await occurrencesOf(jana, series.id)).map(({ id, parent_event }) => [id, parent_event]);
        for (const [id, parent] of listed)
          for (const path of [`/events/${id}`, `/discover/events/${id}`])
            expect([path, (await jana.api.get(path)).body.data.parent_event]).toEqual([path, parent]);
        return listed;
      };
      const complete = [
        [first, null],
        [second, first],
        [third, first],
      ];
      expect(await parents()).toEqual(complete);
      await setFirstRemoved(series.seriesId, true);
      expect(await parents()).toEqual([
        [second, null],
        [third, second],
      ]);
      await setFirstRemoved(series.seriesId, false);
      expect(await parents()).toEqual(complete);
    });

    // SER-9
    it('shows the first occurrence of the recurrence rule as the parent event, even if this occurrence was moved to a later time', async () => {
      const series = await buildSeries(server, jana, { occurrencesLimit: 2 });
      const [first, second] = await occurrencesOf(jana, series.id);
      await jana.api.patch(`/events/${first?.id}`, { starts_at: inDays(30) });
      const parentOf = async (id = '') => (await jana.api.get(`/events/${id}`)).body.data.parent_event;
      expect([await parentOf(first?.id), await parentOf(second?.id)]).toEqual([null, first?.id]);
    });

    // SER-13
    it.each(['scope=past', 'scope=all', 'per_page=101', 'page=0'])(
      'refuses the invalid parameter %s',
      async (query) => {
        const { id } = await buildSeries(server, jana);
        expect(refusedFields(await jana.api.get(`/series/${id}/events?${query}`))).toHaveLength(1);
      },
    );
  });

  // SER-9
  it('shows null as the series of an event that belongs to no series', async () => {
    const event = (await jana.api.post('/events', { title: 'Piknik', starts_at: inDays(3).toISOString() })).body.data;
    expect(event).toMatchObject({ series: null, is_recurring: false, parent_event: null });
  });

  it('shows occurrences as recurring events, also to other people', async () => {
    const series = await buildSeries(server, jana);
    const [first, second] = await occurrencesOf(jana, series.id);
    const { data } = (await petr.api.get(`/discover/events/${second?.id}`)).body;
    expect(data).toMatchObject({ series: series.id, is_recurring: true, parent_event: first?.id });
  });
});
