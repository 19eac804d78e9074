import { PostsCommands } from '#areas/posts/posts.commands';
import { demoSignIn, demoToken, loadDemo } from '#apps/server/demo/demo';
import { clientOf } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

describe('the demo data', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  // OPS-2
  it('is loaded completely or not at all, contains examples of every kind of content, and loading it again changes nothing', async () => {
    jest.spyOn(server.app.get(PostsCommands), 'add').mockRejectedValueOnce(new Error('killed'));
    await expect(loadDemo(server.app)).rejects.toThrow('killed');
    const [rows] = await server.sql(
      'SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM all_events) AS events, (SELECT count(*)::int FROM media_files) AS files',
    );
    expect(rows).toEqual({ users: 0, events: 0, files: 0 });

    await loadDemo(server.app);
    const counts = async () =>
      (
        await server.sql<Record<string, number>>(`SELECT
        (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM events WHERE status = 'active' AND is_public AND over_at > now()) AS events,
        (SELECT count(*)::int FROM series) AS series, (SELECT count(*)::int FROM groups) AS groups, (SELECT count(*)::int FROM posts) AS posts,
        (SELECT count(*)::int FROM comments WHERE event_id IS NOT NULL) AS on_events, (SELECT count(*)::int FROM comments WHERE post_id IS NOT NULL) AS on_posts,
        (SELECT count(*)::int FROM puls_posts WHERE expires_at > now()) AS puls, (SELECT count(*)::int FROM gallery_photos) AS photos,
        (SELECT count(*)::int FROM itineraries) AS plans, (SELECT count(DISTINCT currency)::int FROM expenses) AS currencies,
        (SELECT count(*)::int FROM events WHERE confirmed_count <> (SELECT count(*) FROM participations p WHERE p.event_id = events.id AND p.status = 'confirmed')) AS miscounted`)
      )[0];
    const first = await counts();
    expect(first).toEqual({
      users: 8,
      events: expect.any(Number),
      series: 1,
      groups: 2,
      posts: 2,
      on_events: 3,
      on_posts: 2,
      puls: 6,
      photos: 3,
      plans: 1,
      currencies: 2,
      miscounted: 0,
    });
    expect(first?.['events']).toBeGreaterThanOrEqual(40);
    await loadDemo(server.app);
    expect(await counts()).toEqual(first);

    expect((await new Visitor(server).submit('/sign-in', { ...(await demoSignIn(server.app)) })).status).toBe(303);
    const jana = clientOf(server, (await demoToken(server.app))!);
    const past = (await jana.get('/events?scope=past')).body.data as { id: string; title: string }[];
    const roast = past.find(({ title }) => title === 'Podzimní opékání')!;
    const { summary } = (await jana.get(`/events/${roast.id}/expenses`)).body.data;
    expect([Object.keys(summary), summary.CZK.settlement.length > 0, summary.EUR.settlement.length > 0]).toEqual([
      ['CZK', 'EUR'],
      true,
      true,
    ]);
    expect((await jana.get('/discover/events')).body.meta.last_page).toBeGreaterThan(1);
  });
});
