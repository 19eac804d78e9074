import { EVENTS_TO_RENDER } from '#areas/discover/discover.query';
import { RenderedEvents } from '#areas/discover/rendered-events';
import { buildEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

/**
 * docs/adr/0310-rendered-events.md: an event of a list is rendered once and cached. test/discover/current.spec.ts
 * checks that every change is visible.
 */
describe('the list of Discover with cached rendered events', () => {
  let server: TestServer;
  let jana: Person;
  let eva: Person;
  let petr: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, eva, petr } = await server.people('jana', 'eva', 'petr'));
  });
  afterAll(() => server.stop());
  beforeEach(() => server.sql('DELETE FROM all_events'));
  afterEach(() => jest.restoreAllMocks());

  const PATH = '/discover/events?per_page=5&lat=50&lng=14';
  const createEvent = (title: string) =>
    buildEvent(server, jana, { title, latitude: 50, longitude: 14.01, description: `<p>${title}</p>` });
  /**
   * Records the executions of EVENTS_TO_RENDER from now on. The returned function returns, for each execution, the ids
   * of the events that were read.
   */
  const recordReads = (): (() => unknown[]) => {
    const rows = jest.spyOn(server.database, 'rows');
    return () => rows.mock.calls.filter(([sql]) => sql === EVENTS_TO_RENDER).map(([, values]) => values?.[0]);
  };

  // DISC-3, DISC-4, DISC-12
  it('equals the output of JSON.stringify, for titles in any alphabet and in every content coding', async () => {
    const titles = [
      'Příliš žluťoučký kůň',
      '„Uvozovky" \\ a / \u2028 \u0007',
      '🧺 Piknik 👩‍👩‍👧',
      '日本のピクニック',
      'Ω ≤ µ',
    ];
    for (const title of titles) await createEvent(title);
    const answers: Answer[] = [];
    for (const coding of ['identity', 'identity', 'br', 'gzip'])
      answers.push(await petr.api.send('GET', PATH, { headers: { 'accept-encoding': coding } }));
    const first = answers[0]!;
    expect(first.body.data.map(({ title }: { title: string }) => title).sort()).toEqual(titles.sort());
    expect(first.text).toBe(JSON.stringify(first.body));
    expect(first.body.data[0]).toMatchObject({
      distance_km: 0.71,
      viewer: { is_organizer: false, participation: null, can_join: true },
    });
    for (const answer of answers)
      expect([answer.text, answer.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
    expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual([null, null, 'br', 'gzip']);
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(first.headers.get('content-length')).toBe(String(Buffer.byteLength(first.text)));
    for (const one of first.body.data) {
      const { distance_km: _, ...shown } = one;
      expect(JSON.stringify(shown)).toBe(JSON.stringify((await petr.api.get(`/discover/events/${one.id}`)).body.data));
    }
  });

  it('reads an event from the database once for all people, and again after the event was changed, but not after a join', async () => {
    const [first, second] = [await createEvent('Piknik'), await createEvent('Běh')];
    const readIds = recordReads();
    for (const who of [petr, eva, petr]) expect((await who.api.get(PATH)).body.data).toHaveLength(2);
    expect(readIds()).toEqual([expect.arrayContaining([String(first.eventId), String(second.eventId)])]);
    await eva.api.post(`/events/${first.id}/join`, {});
    expect((await petr.api.get(PATH)).body.data[0].current_participants).toBe(2);
    expect((await eva.api.get(PATH)).body.data[0].viewer).toMatchObject({
      participation: 'confirmed',
      can_join: false,
      check_in_code: expect.any(String),
    });
    expect(readIds()).toHaveLength(1);
    await jana.api.patch(`/events/${second.id}`, { title: 'Závod' });
    expect((await eva.api.get(PATH)).body.data[1].title).toBe('Závod');
    expect(readIds().slice(1)).toEqual([[String(second.eventId)]]);
  });

  it.each([
    ['changed', async (id: string) => jana.api.patch(`/events/${id}`, { title: 'Jindy' }), ['Jindy']],
    ['made private', async (id: string) => jana.api.patch(`/events/${id}`, { is_public: false }), []],
    ['deleted', async (id: string) => jana.api.delete(`/events/${id}`), []],
  ])(
    'is read again if an event is %s between the query for the ids and the query for the events',
    async (_, change, titles) => {
      const { id } = await createEvent('Piknik');
      const rendered = server.app.get(RenderedEvents);
      const originalEventsOf = rendered.eventsOf.bind(rendered);
      jest.spyOn(rendered, 'eventsOf').mockImplementationOnce(async (rows) => {
        expect((await change(id)).status).toBeLessThan(300);
        return originalEventsOf(rows);
      });
      const { status, body, text } = await petr.api.get(PATH);
      expect([status, body.data.map(({ title }: { title: string }) => title), body.meta.total]).toEqual([
        200,
        titles,
        titles.length,
      ]);
      expect(text).toBe(JSON.stringify(body));
    },
  );
});
