import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

/** docs/rules/discover.md: the list and the response for one event. */
describe('Discover', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  /**
   * Makes everybody except the organizer and the viewer block the viewer, so the viewer's list has only the organizer's
   * events.
   */
  const showOnlyEventsOf = (organizer: Person, viewer: Person) =>
    server.sql('INSERT INTO user_blocks SELECT id, $1 FROM users WHERE id NOT IN ($1, $2)', [
      viewer.userId,
      organizer.userId,
    ]);

  // DISC-1, DISC-2
  it('lists other people’s public, active events until these events end (boosted events first, then by start), and omits events from which a ban or a block excludes the viewer', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const createEvent = (title: string, days: number, more = {}) =>
      buildEvent(server, jana, { title, starts_at: inDays(days), ...more });
    await createEvent('za tři dny', 3);
    await createEvent('zítra', 1);
    await createEvent('topovaná', 5, { editorial: { boostedUntil: inDays(1) } });
    await createEvent('kdysi topovaná', 4, { editorial: { boostedUntil: inDays(-1) } });
    await createEvent('soukromá', 1, { is_public: false });
    await createEvent('skončila', -1);
    await createEvent('právě běží', -0.1);
    await createEvent('zákaz vstupu', 1, { with: [[petr, 'banned']] });
    const cancelled = await createEvent('zrušená', 1);
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    await showOnlyEventsOf(jana, petr);

    const { body } = await petr.api.get('/discover/events');
    const titles = body.data.map((event: { title: string }) => event.title);
    expect(titles).toEqual(['topovaná', 'právě běží', 'zítra', 'za tři dny', 'kdysi topovaná']);
    expect(body.meta.total).toBe(5);
    await showOnlyEventsOf(petr, jana);
    expect((await jana.api.get('/discover/events')).body.data).toEqual([]);
    await server.sql('INSERT INTO user_blocks VALUES ($1, $2)', [jana.userId, petr.userId]);
    expect((await petr.api.get('/discover/events')).body.meta.total).toBe(0);
  });

  // DISC-2
  it.each(['', 'lat=50&lng=14&', 'q=strana&', 'type=sport&'])(
    'with the filter "%s", lists every event exactly once across the pages, although one page contains both boosted and other events',
    async (filter) => {
      const { jana, petr } = await server.people('jana', 'petr');
      const createEvent = (title: string, days: number, more = {}) =>
        buildEvent(server, jana, {
          title,
          starts_at: inDays(days),
          type: 'sport',
          location_name: 'Strana',
          latitude: 50,
          longitude: 14,
          ...more,
        });
      // If the list were ordered only by start, boosted events and other events would alternate.
      for (const n of [4, 1, 3, 0, 5, 2]) {
        await createEvent(`boosted ${n}`, 10 + n, { editorial: { boostedUntil: inDays(1) } });
        await createEvent(`other ${n}`, 10.5 + n);
      }
      await showOnlyEventsOf(jana, petr);
      const titles: string[] = [];
      for (let page = 1; page <= 3; page++) {
        const { body } = await petr.api.get(`/discover/events?${filter}per_page=5&page=${page}`);
        expect(body.meta.total).toBe(12);
        titles.push(...body.data.map((event: { title: string }) => event.title));
      }
      expect(titles).toEqual(['boosted', 'other'].flatMap((kind) => [0, 1, 2, 3, 4, 5].map((n) => `${kind} ${n}`)));
    },
  );

  // DISC-3, DISC-4, WIRE-5
  it('shows a single event with its organizer, source and viewer, and without is_public, join_password and distance_km', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, {
      editorial: { source: { name: 'Kudy z nudy', url: 'https://example.org/1' } },
      with: [[petr, 'requested']],
    });
    const { body } = await petr.api.get(`/discover/events/${event.id}`);
    expect(body.data).toMatchObject({
      id: event.id,
      organizer: { name: jana.name, nickname: null, slug: jana.slug, avatar_url: null },
      source: { name: 'Kudy z nudy', url: 'https://example.org/1' },
      viewer: { is_organizer: false, participation: 'requested', can_join: false },
    });
    for (const field of ['is_public', 'join_password', 'distance_km']) expect(body.data).not.toHaveProperty(field);
    expect((await jana.api.get(`/discover/events/${event.id}`)).body.data.viewer).toEqual({
      is_organizer: true,
      participation: null,
      can_join: false,
      offer: null,
      waitlist_position: null,
    });
  });

  // DISC-5, EVT-23
  it('shows a private event to the organizer and to an invited person, but not to a person without a relation to the event', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const event = await buildEvent(server, jana, { is_public: false, with: [[petr, 'pending']] });
    expect((await petr.api.get(`/discover/events/${event.id}`)).body.data.viewer).toEqual({
      is_organizer: false,
      participation: 'pending',
      can_join: true,
      offer: null,
      waitlist_position: null,
    });
    expect((await jana.api.get(`/discover/events/${event.id}`)).status).toBe(200);
    expect((await eva.api.get(`/discover/events/${event.id}`)).status).toBe(404);
  });
});
