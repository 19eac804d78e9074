import { inDays } from '#testing/times';
import type { Person } from '#testing/people';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { Signals } from '#platform/signals/signals';
import { EventsCancelled } from '#areas/events/event.signal';

/** api-spec, "States and transitions", "Series". */
describe('POST /series/{id}/cancel', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
  });
  afterAll(() => server.stop());

  it('cancels what is upcoming, ends the series, and cannot be done twice', async () => {
    const { id } = await buildSeries(server, jana, { startsAt: inDays(-7.01) });
    const [past, started, ...upcoming] = await occurrencesOf(jana, id);
    const { status, body } = await jana.api.post(`/series/${id}/cancel`);
    expect({ status, meta: body.meta }).toEqual({ status: 200, meta: { cancelled_events: upcoming.length } });
    expect(body.data).toMatchObject({ id, active: false, cancelled_at: expect.stringMatching(/Z$/), next_occurrence_at: null });
    expect((await jana.api.get(`/series/${id}`)).body.data).toEqual(body.data);
    const statuses = (await occurrencesOf(jana, id)).map((event) => [event.id, event.status]);
    expect(statuses).toEqual([...[past, started].map((one) => [one?.id, 'active']), ...upcoming.map((one) => [one.id, 'cancelled'])]);
    const again = await jana.api.post(`/series/${id}/cancel`);
    expect({ status: again.status, code: again.body.code }).toEqual({ status: 409, code: 'conflict' });
  });

  it('says so once for all that became cancelled, in one transaction', async () => {
    const { id, seriesId } = await buildSeries(server, jana, { occurrencesLimit: 4 });
    const [first, second] = await occurrencesOf(jana, id);
    await confirm(server, second?.id ?? '', await server.person('petr'));
    await jana.api.patch(`/events/${first?.id}`, { status: 'cancelled' });
    const raised = jest.spyOn(server.app.get(Signals), 'raise');
    expect((await jana.api.post(`/series/${id}/cancel`)).body.meta).toEqual({ cancelled_events: 3 });
    const signals = raised.mock.calls.map(([, signal]) => signal);
    raised.mockRestore();
    expect(signals).toHaveLength(1);
    expect(signals[0]).toBeInstanceOf(EventsCancelled);
    const rows = await server.sql<{ id: string }>('SELECT id FROM events WHERE series_id = $1 AND series_index > 0', [seriesId]);
    expect([...(signals[0] as EventsCancelled).eventIds].sort()).toEqual(rows.map((row) => Number(row.id)).sort());
  });

  it('ends an active series that has nothing upcoming', async () => {
    const { id } = await buildSeries(server, jana);
    for (const event of await occurrencesOf(jana, id)) await jana.api.delete(`/events/${event.id}`);
    expect((await jana.api.post(`/series/${id}/cancel`)).body).toMatchObject({ data: { active: false }, meta: { cancelled_events: 0 } });
  });

  it('cancels a finished one while something is upcoming, otherwise 409', async () => {
    const some = await buildSeries(server, jana, { occurrencesLimit: 2 });
    expect((await jana.api.get(`/series/${some.id}`)).body.data.active).toBe(false);
    expect((await jana.api.post(`/series/${some.id}/cancel`)).body.meta).toEqual({ cancelled_events: 2 });
    const none = await buildSeries(server, jana, { startsAt: inDays(-20), occurrencesLimit: 2 });
    expect((await jana.api.post(`/series/${none.id}/cancel`)).status).toBe(409);
    expect((await jana.api.get(`/series/${none.id}`)).body.data.cancelled_at).toBeNull();
  });

  it('stops the generation', async () => {
    const { id } = await buildSeries(server, jana);
    await jana.api.post(`/series/${id}/cancel`);
    const before = await occurrencesOf(jana, id);
    server.clock.forward(30 * 86_400_000);
    await server.job('series-extend');
    server.clock.reset();
    expect(await occurrencesOf(jana, id)).toEqual(before);
  });

  it('is done once when it is asked for many times at once', async () => {
    const { id } = await buildSeries(server, jana);
    const answers = await Promise.all(Array.from({ length: 6 }, () => jana.api.post(`/series/${id}/cancel`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });
});
