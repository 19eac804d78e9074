import { buildEvent } from '#testing/builders';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

/** api-spec, "Discover": the list and one event. */
describe('discover', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  it('lists other people’s public, active events that have not ended: boosted first, then by start', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const make = (title: string, days: number, more = {}) => buildEvent(server, jana, { title, starts_at: inDays(days), ...more });
    await make('za tři dny', 3);
    await make('zítra', 1);
    await make('topovaná', 5, { editorial: { boostedUntil: inDays(1) } });
    await make('kdysi topovaná', 4, { editorial: { boostedUntil: inDays(-1) } });
    await make('soukromá', 1, { is_public: false });
    await make('skončila', -1);
    await make('právě běží', -0.1);
    await make('zákaz vstupu', 1, { with: [[petr, 'banned']] });
    const cancelled = await make('zrušená', 1);
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });

    const { body } = await petr.api.get('/discover/events');
    const titles = body.data.map((event: { title: string }) => event.title);
    expect(titles).toEqual(['topovaná', 'právě běží', 'zítra', 'za tři dny', 'kdysi topovaná']);
    expect(body.meta.total).toBe(5);
    expect((await jana.api.get('/discover/events')).body.data).toEqual([]);
    await server.sql('INSERT INTO user_blocks VALUES ($1, $2)', [jana.userId, petr.userId]);
    expect((await petr.api.get('/discover/events')).body.meta.total).toBe(0);
  });

  it('shows one event with its organizer, source and viewer, and nothing for the owner only', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { editorial: { source: { name: 'Kudy z nudy', url: 'https://example.org/1' } }, with: [[petr, 'requested']] });
    const { body } = await petr.api.get(`/discover/events/${event.id}`);
    expect(body.data).toMatchObject({
      id: event.id,
      organizer: { name: jana.name, nickname: null, slug: jana.slug, avatar_url: null },
      source: { name: 'Kudy z nudy', url: 'https://example.org/1' },
      viewer: { is_organizer: false, participation: 'requested', can_join: false },
    });
    for (const owners of ['is_public', 'join_password', 'distance_km']) expect(body.data).not.toHaveProperty(owners);
    expect((await jana.api.get(`/discover/events/${event.id}`)).body.data.viewer).toEqual({ is_organizer: true, participation: null, can_join: false });
  });

  it('hides a private event from strangers only', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const event = await buildEvent(server, jana, { is_public: false, with: [[petr, 'pending']] });
    expect((await petr.api.get(`/discover/events/${event.id}`)).body.data.viewer).toEqual({ is_organizer: false, participation: 'pending', can_join: true });
    expect((await jana.api.get(`/discover/events/${event.id}`)).status).toBe(200);
    expect((await eva.api.get(`/discover/events/${event.id}`)).status).toBe(404);
  });
});
