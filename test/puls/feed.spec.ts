import { LIMITS } from '#contract/limits';
import { PULS_FEED } from '#areas/puls/puls.query';
import { PulsCommands, type ImportedPuls } from '#areas/puls/puls.commands';
import { UsersCommands } from '#areas/identity/users.commands';
import { PublicIds } from '#platform/http/public-ids';
import { haversine } from '#testing/haversine';
import { planOf } from '#testing/plans';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const PRAGUE = { latitude: 50.0874, longitude: 14.4213 };
const placeOf = ({ latitude: lat, longitude: lng }: typeof PRAGUE) => ({ lat, lng });
const NEAR_PRAGUE = 'lat=50.0874&lng=14.4213';

/** PULS-8, PULS-9, PULS-10. */
describe('GET /puls', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
  });
  afterEach(async () => {
    server.clock.reset();
    await server.sql('DELETE FROM puls_posts');
  });
  afterAll(() => server.stop());

  /** Creates a post without the API, and therefore without the limits of the API. */
  const importPost = (author: Person, post: Partial<ImportedPuls>) =>
    server.database.transaction((tx) =>
      server.app.get(PulsCommands).import(tx, author.userId, { body: 'x', ...PRAGUE, ...post }),
    );
  const bodies = async (viewer: Person, query = NEAR_PRAGUE): Promise<string[]> =>
    (await viewer.api.get(`/puls?${query}`)).body.data.map((one: { body: string }) => one.body);

  // PULS-8
  it('returns active posts around a place, nearest first, with the distance', async () => {
    await importPost(petr, { body: 'Holešovice', latitude: 50.1033, longitude: 14.45 });
    await importPost(eva, { body: 'Brno', latitude: 49.1951, longitude: 16.6068 });
    await importPost(jana, { body: 'Staré Město' });
    await importPost(eva, { body: 'Letná', latitude: 50.0963, longitude: 14.419 });
    const answer = await jana.api.get(`/puls?${NEAR_PRAGUE}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [
        expect.objectContaining({ body: 'Staré Město', distance_km: 0, viewer: { is_mine: true } }),
        expect.objectContaining({ body: 'Letná', distance_km: 1.003, viewer: { is_mine: false } }),
        expect.objectContaining({
          body: 'Holešovice',
          distance_km: 2.705,
          author: { name: petr.name, nickname: null, slug: petr.slug, avatar_url: null },
        }),
      ],
      links: { first: null, last: null, prev: null, next: null },
      meta: { total: 3, limit: 50, radius_km: 10 },
    });
    expect(Object.keys(answer.body.data[0] as object).sort()).toEqual([
      'author',
      'body',
      'created_at',
      'distance_km',
      'expires_at',
      'id',
      'image_thumb_url',
      'image_url',
      'latitude',
      'likes_count',
      'location_name',
      'longitude',
      'video_poster_url',
      'video_url',
      'viewer',
    ]);
  });

  // PULS-8, PULS-9
  it('returns at most `limit` posts, all within the radius', async () => {
    for (const km of [0.1, 0.9, 1.1, 3, 20])
      await importPost(petr, { body: `${km} km`, latitude: PRAGUE.latitude + km / 111.195 });
    expect(await bodies(jana, `${NEAR_PRAGUE}&radius_km=1`)).toEqual(['0.1 km', '0.9 km']);
    expect((await jana.api.get(`/puls?${NEAR_PRAGUE}&radius_km=1.5&limit=2`)).body).toMatchObject({
      data: [{ body: '0.1 km' }, { body: '0.9 km' }],
      meta: { total: 3, limit: 2, radius_km: 1.5 },
    });
    expect(await bodies(jana, `${NEAR_PRAGUE}&radius_km=50`)).toHaveLength(5);
  });

  it.each([
    'lat=50',
    'lng=14',
    'lat=91&lng=14',
    'lat=50&lng=181',
    'lat=x&lng=14',
    `${NEAR_PRAGUE}&radius_km=0`,
    `${NEAR_PRAGUE}&radius_km=51`,
    `${NEAR_PRAGUE}&radius_km=x`,
    `${NEAR_PRAGUE}&limit=0`,
    `${NEAR_PRAGUE}&limit=101`,
    `${NEAR_PRAGUE}&limit=1.5`,
  ])('refuses the query %s', async (query) => {
    const { status, body } = await jana.api.get(`/puls?${query}`);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
  });

  // PULS-4
  it('omits an expired post, which its author can neither list nor delete', async () => {
    const id = await importPost(jana, { createdAt: new Date(Date.now() - 86_000_000) });
    expect(await bodies(petr)).toEqual(['x']);
    server.clock.forward(401_000);
    expect(await bodies(petr)).toEqual([]);
    expect((await jana.api.get('/puls/mine')).body).toMatchObject({ data: [], meta: { total: 0 } });
    const hashid = server.app.get(PublicIds).encode('puls', id);
    expect((await jana.api.delete(`/puls/${hashid}`)).status).toBe(404);
  });

  // PULS-10
  it('excludes posts by people who block the caller or are blocked by the caller', async () => {
    const [blocker, blocked, viewer] = [
      await server.person('blocker'),
      await server.person('blocked'),
      await server.person('viewer'),
    ];
    const block = (person: Person, target: Person) =>
      server.database.transaction((tx) => server.app.get(UsersCommands).setBlocked(tx, person.userId, [target.userId]));
    await block(blocker, viewer);
    await block(viewer, blocked);
    for (const one of [blocker, blocked, viewer]) await importPost(one, { body: one.slug });
    expect(await bodies(viewer)).toEqual([viewer.slug]);
    expect((await viewer.api.get(`/puls?${NEAR_PRAGUE}&limit=1`)).body.meta.total).toBe(1);
    expect(await bodies(blocker)).toEqual([blocker.slug, blocked.slug]);
    expect(await bodies(blocked)).toEqual([blocker.slug, blocked.slug]);
  });

  it('finds posts on the other side of the date line and of a pole', async () => {
    await importPost(jana, { body: 'east', latitude: -16.5, longitude: 179.99 });
    await importPost(petr, { body: 'west', latitude: -16.5, longitude: -179.97 });
    await importPost(eva, { body: 'pole', latitude: 89.99, longitude: -100 });
    expect(await bodies(jana, 'lat=-16.5&lng=-179.999')).toEqual(['east', 'west']);
    expect(await bodies(jana, 'lat=89.98&lng=80')).toEqual(['pole']);
  });

  it('sorts thousands of posts exactly by great-circle distance, and uses the index', async () => {
    await server.sql(
      `INSERT INTO puls_posts (author_id, body, latitude, longitude, created_at, expires_at)
       SELECT $1, 'p' || i, 50.0874 + (random() - 0.5) * 0.6, 14.4213 + (random() - 0.5) * 0.9, now(),
              now() + CASE WHEN i % 5 = 0 THEN interval '-1 s' ELSE interval '1 day' END
         FROM generate_series(1, 4000) i`,
      [petr.userId],
    );
    await server.sql('VACUUM ANALYZE all_puls_posts');
    const activePosts = await server.sql<{ body: string; latitude: number; longitude: number }>(
      'SELECT body, latitude, longitude FROM puls_posts WHERE expires_at > now()',
    );
    const expected = activePosts
      .map((post) => ({ ...post, km: haversine(placeOf(PRAGUE), placeOf(post)) }))
      .filter(({ km }) => km <= 15)
      .sort((a, b) => a.km - b.km);
    expect(expected.length).toBeGreaterThan(400);
    const { data, meta } = (await jana.api.get(`/puls?${NEAR_PRAGUE}&radius_km=15&limit=100`)).body;
    expect(data.map(({ body }: { body: string }) => body)).toEqual(expected.slice(0, 100).map(({ body }) => body));
    expect(data.map(({ distance_km }: { distance_km: number }) => distance_km)).toEqual(
      expected.slice(0, 100).map(({ km }) => expect.closeTo(km, 2)),
    );
    expect(meta.total).toBe(Math.min(expected.length, LIMITS.puls.feed.max_counted));
    const within6 = expected.filter(({ km }) => km <= 6).length;
    expect(within6).toBeLessThan(LIMITS.puls.feed.max_counted);
    expect((await jana.api.get(`/puls?${NEAR_PRAGUE}&radius_km=6&limit=1`)).body.meta.total).toBe(within6);

    const plan = await planOf(server, PULS_FEED, [jana.userId, 50.0874, 14.4213, 5, 100, new Date()]);
    expect(plan).toContainEqual(expect.stringMatching(/^Index Scan using puls_posts_around /));
    expect(plan).toContainEqual(expect.stringMatching(/^Index Only Scan using puls_posts_around /));
    expect(plan.filter((line) => line.startsWith('Seq Scan on all_puls_posts'))).toEqual([]);
  });
});
