import {
  NEAREST_GROUPS,
  NEAREST_GROUPS_TOTAL,
  NEWEST_GROUPS,
  NEWEST_GROUPS_TOTAL,
} from '#areas/groups/nearby/discover-groups.query';
import { buildGroup, addMember } from '#testing/groups';
import { haversine } from '#testing/haversine';
import type { Person } from '#testing/people';
import { planOf } from '#testing/plans';
import { TestServer } from '#testing/test-server';

interface Item {
  id: string;
  name: string;
  latitude: number;
  longitude: number;
  distance_km: number;
}
type Place = readonly [latitude: number, longitude: number];

const kilometres = ([lat, lng]: Place, [otherLat, otherLng]: Place): number =>
  haversine({ lat, lng }, { lat: otherLat, lng: otherLng });

describe('GET /groups/discover', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.sql('DELETE FROM groups');
    ({ jana, petr } = await server.people('jana', 'petr'));
  });

  // GRP-23
  it('finds groups by the beginnings of words, whether or not the query contains a place, and omits groups that the caller is a member of', async () => {
    await buildGroup(server, jana, { name: 'Přátelé hor', is_public: true, latitude: 50, longitude: 14 });
    await buildGroup(server, jana, { name: 'Vodáci', description: 'Hory nejsou nic pro nás', is_public: true });
    await buildGroup(server, jana, { name: 'Tajní hor', is_public: false });
    await buildGroup(server, petr, { name: 'Petrovi hor', is_public: true });
    const names = async (query: string) => (await discover(query)).map(({ name }) => name).sort();
    expect(await names('?q=HOR')).toEqual(['Přátelé hor', 'Vodáci']);
    expect(await names('?q=hor%20pratel')).toEqual(['Přátelé hor']);
    expect(await names('?q=hor&lat=50&lng=14')).toEqual(['Přátelé hor']);
    expect(await names('?q=nikdo')).toEqual([]);
    for (const q of ['!!', '①②③④']) {
      expect(await names(`?q=${q}`)).toEqual(['Přátelé hor', 'Vodáci']);
      expect(await names(`?q=${q}&lat=50&lng=14`)).toEqual(['Přátelé hor']);
    }
    expect((await petr.api.get(`/groups/discover?q=${'x'.repeat(101)}`)).status).toBe(422);
  });

  async function discover(query = '', who = petr): Promise<Item[]> {
    const answer = await who.api.get(`/groups/discover${query}`);
    expect(answer.status).toBe(200);
    return answer.body.data;
  }
  const ids = async (query = '', who = petr): Promise<string[]> => (await discover(query, who)).map(({ id }) => id);

  // GRP-9
  it('lists public groups that the caller is not a member of, newest first', async () => {
    const older = await buildGroup(server, jana);
    server.clock.forward(1000);
    const newer = await buildGroup(server, jana, { description: 'Popis' });
    await buildGroup(server, jana, { is_public: false });
    await buildGroup(server, petr);
    await addMember(server, await buildGroup(server, jana), petr, 'member');
    expect(await ids()).toEqual([newer.id, older.id]);
    expect(await discover()).toContainEqual((await petr.api.get(`/groups/${newer.id}`)).body.data);
    expect((await petr.api.get('/groups/discover?per_page=1&page=2')).body).toMatchObject({
      data: [{ id: older.id }],
      meta: { total: 2, last_page: 2 },
    });
    expect((await petr.api.get('/groups/discover?page=3')).body).toMatchObject({
      data: [],
      meta: { total: 2, from: null },
    });
  });

  // GRP-9
  it('includes groups that have invited the caller or that the caller has asked to join', async () => {
    const [invited, requested] = [
      await buildGroup(server, jana, { with: [[petr, 'invited']] }),
      await buildGroup(server, jana, { with: [[petr, 'requested']] }),
    ];
    expect((await ids()).sort()).toEqual([invited.id, requested.id].sort());
  });

  // GRP-9
  it('lists the groups around a place (within 10 km by default), nearest first, and shows their distance', async () => {
    const here: Place = [50.0875, 14.4213];
    const at = (north: number): { latitude: number; longitude: number } => ({
      latitude: here[0] + north,
      longitude: here[1],
    });
    const { eva } = await server.people('eva');
    const [far, near, middle] = [
      await buildGroup(server, jana, at(0.5)),
      await buildGroup(server, jana, at(0)),
      await buildGroup(server, jana, at(-0.05)),
    ];
    await buildGroup(server, jana, { ...at(0.01), is_public: false });
    await buildGroup(server, eva);
    await buildGroup(server, petr, at(0.02));
    const query = `?lat=${here[0]}&lng=${here[1]}`;
    expect(await ids(query)).toEqual([near.id, middle.id]);
    expect(await ids(`${query}&radius_km=60`)).toEqual([near.id, middle.id, far.id]);
    expect(await ids(`${query}&radius_km=1`)).toEqual([near.id]);
    expect((await discover(`${query}&radius_km=60`)).map(({ distance_km }) => distance_km)).toEqual([
      0,
      expect.closeTo(kilometres(here, [here[0] - 0.05, here[1]]), 6),
      expect.closeTo(kilometres(here, [here[0] + 0.5, here[1]]), 6),
    ]);
    for (const search of ['', '?radius_km=0', '?radius_km=x'])
      expect((await discover(search)).some((item) => 'distance_km' in item)).toBe(false);
  });

  // GRP-9, GRP-23
  it('lists groups that match q: newest first, or nearest first if a place is given', async () => {
    const here: Place = [50.0875, 14.4213];
    const build = (north: number) =>
      buildGroup(server, jana, { name: 'Horalé', latitude: here[0] + north, longitude: here[1] });
    const [distant, near, remote, middle] = [await build(0.1), await build(0), await build(1.7), await build(-0.08)];
    const { eva } = await server.people('eva');
    const placeless = await buildGroup(server, eva, { name: 'Horalé' });
    await buildGroup(server, eva, { name: 'Vodáci', latitude: here[0], longitude: here[1] });
    const query = `?q=hor&lat=${here[0]}&lng=${here[1]}`;
    const { data, meta } = (await petr.api.get(`/groups/discover${query}`)).body;
    expect([data.map(({ id }: Item) => id), meta.total]).toEqual([[near.id, middle.id], 2]);
    expect(data.map(({ distance_km }: Item) => distance_km)).toEqual([
      0,
      expect.closeTo(kilometres(here, [here[0] - 0.08, here[1]]), 6),
    ]);
    expect(await ids(`${query}&radius_km=1`)).toEqual([near.id]);
    expect(await ids(`${query}&radius_km=200`)).toEqual([near.id, middle.id, distant.id, remote.id]);
    const newestFirst = [placeless, middle, remote, near, distant].map(({ id }) => id);
    for (const radius of ['', '&radius_km=1', '&radius_km=0', '&radius_km=x']) {
      const items = await discover(`?q=hor${radius}`);
      expect(items.map(({ id }) => id)).toEqual(newestFirst);
      expect(items.some((item) => 'distance_km' in item)).toBe(false);
    }
    for (const [coordinates, field] of [
      ['lat=50', 'lng'],
      ['lng=14', 'lat'],
    ] as const) {
      const refused = await petr.api.get(`/groups/discover?q=hor&${coordinates}`);
      expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([422, [field]]);
    }
  });

  it('has the correct total after a group was moved, lost its place, became private, became public, was joined by the caller or was deleted', async () => {
    const group = await buildGroup(server, jana, { latitude: 50.08, longitude: 14.42 });
    const totals = async (): Promise<number[]> => {
      // A page beyond the end has no items, but has the total.
      const counted = ['lat=50.08&lng=14.42', 'lat=49.19&lng=16.6', ''].map((query) =>
        petr.api.get(`/groups/discover?page=9&${query}`),
      );
      return (await Promise.all(counted)).map(({ body }) => body.meta.total);
    };
    const change = (fields: Record<string, unknown>): Promise<unknown> => jana.api.patch(`/groups/${group.id}`, fields);
    expect(await totals()).toEqual([1, 0, 1]);
    await change({ latitude: 49.19, longitude: 16.6 });
    expect(await totals()).toEqual([0, 1, 1]);
    await change({ latitude: null, longitude: null });
    expect(await totals()).toEqual([0, 0, 1]);
    await change({ is_public: false, latitude: 49.19, longitude: 16.6 });
    expect(await totals()).toEqual([0, 0, 0]);
    await change({ is_public: true });
    expect(await totals()).toEqual([0, 1, 1]);
    await addMember(server, group, petr, 'member');
    expect(await totals()).toEqual([0, 0, 0]);
    await jana.api.delete(`/groups/${group.id}`);
    expect(await totals()).toEqual([0, 0, 0]);
    expect(await server.sql('SELECT 1 FROM group_cells WHERE groups <> 0')).toEqual([]);
  });

  // GRP-9, WIRE-25
  it('counts a public group that has invited the caller, but no private group, and no group that the caller is a member of', async () => {
    const place = { latitude: 50.08, longitude: 14.42 };
    for (const is_public of [true, false]) {
      await buildGroup(server, petr, { ...place, is_public });
      for (const role of ['member', 'invited'] as const)
        await buildGroup(server, jana, { ...place, is_public, with: [[petr, role]] });
    }
    // A page beyond the end has no items, but has the total.
    for (const query of ['', '&lat=50.08&lng=14.42', '&q=turisti']) {
      const { body } = await petr.api.get(`/groups/discover?page=9${query}`);
      expect([query, body.meta.total]).toEqual([query, 1]);
    }
  });

  // GRP-9
  it.each([
    ['lat=50', 'lng'],
    ['lng=14', 'lat'],
    ['lat=91&lng=14', 'lat'],
    ['lat=x&lng=14', 'lat'],
    ['lat=50&lng=181', 'lng'],
    ['lat=50&lng=14&radius_km=0', 'radius_km'],
    ['lat=50&lng=14&radius_km=201', 'radius_km'],
    ['lat=50&lng=14&radius_km=x', 'radius_km'],
  ])('refuses %s with an error for %s', async (query, field) => {
    const answer = await petr.api.get(`/groups/discover?${query}`);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  });

  describe('with 20,000 groups', () => {
    const MANY = 20_000;
    beforeEach(async () => {
      // A third of the groups is near Prague, and a third is anywhere on earth. The last third is at special
      // coordinates: near the poles, on the date line near the equator, or at 10° N 10° E.
      await server.sql('SELECT setseed(0.5)');
      await server.sql(
        `INSERT INTO groups (owner_id, name, description, is_public, latitude, longitude, members_count, invite_code, created_at, updated_at)
         SELECT $1, 'Parta ' || n, repeat('Popis ', 50), n % 5 <> 0,
           CASE n % 3 WHEN 0 THEN 50.08 + (random() - 0.5) * 2 WHEN 1 THEN degrees(asin(2 * random() - 1))
             ELSE CASE n % 4 WHEN 0 THEN 89.5 + random() / 2 WHEN 1 THEN -89.5 - random() / 2 WHEN 2 THEN (random() - 0.5) * 4 ELSE 10 END END,
           CASE n % 3 WHEN 0 THEN 14.42 + (random() - 0.5) * 3 WHEN 1 THEN random() * 360 - 180
             ELSE CASE n % 4 WHEN 2 THEN 180 - random() * 2 * (n % 2) ELSE CASE n % 4 WHEN 3 THEN 10 ELSE random() * 360 - 180 END END END,
           1, 'code ' || n, now() - n * interval '1 second', now()
         FROM generate_series(1, ${MANY}) n`,
        [jana.userId],
      );
      await server.sql('UPDATE groups SET longitude = longitude - 360 WHERE longitude > 179.9 AND id % 2 = 0');
      await server.sql(
        `INSERT INTO group_members SELECT id, $1, 'member', now(), now() FROM groups WHERE id % 50 = 0`,
        [petr.userId],
      );
      await server.sql('ANALYZE all_groups');
      for (const table of ['group_members', 'group_cells']) await server.sql(`ANALYZE ${table}`);
    });

    it('sorts exactly by great-circle distance everywhere on earth, also across pages', async () => {
      const rows = await server.sql<{ name: string; latitude: number; longitude: number }>(
        'SELECT name, latitude, longitude FROM groups WHERE is_public AND id % 50 <> 0 ORDER BY id',
      );
      const places: Place[] = [
        [50.08, 14.42],
        [50.5, 13.2],
        [90, 0],
        [-89.99, 120],
        [0.3, 179.99],
        [-1, -179.9],
        [10, 10],
        [0, 0],
        [10.0001, 10],
      ];
      for (const here of places) {
        for (const radius of [1, 10, 200]) {
          const expected = rows
            .map(({ name, latitude, longitude }, i) => ({ name, i, km: kilometres(here, [latitude, longitude]) }))
            .filter(({ km }) => km <= radius)
            .sort((a, b) => (Math.abs(a.km - b.km) < 1e-6 ? a.i - b.i : a.km - b.km));
          const found: Item[] = [];
          for (let page = 1; page <= 3; page++) {
            const { body } = await petr.api.get(
              `/groups/discover?lat=${here[0]}&lng=${here[1]}&radius_km=${radius}&per_page=60&page=${page}`,
            );
            expect([here, radius, body.meta.total]).toEqual([here, radius, expected.length]);
            found.push(...body.data);
          }
          expect(found.map(({ name }) => name)).toEqual(expected.slice(0, 180).map(({ name }) => name));
          for (const [i, { distance_km }] of found.entries()) expect(distance_km).toBeCloseTo(expected[i]!.km, 5);
        }
      }
    });

    it('reads the nearest and the newest groups from an index, and counts groups without reading the table of groups', async () => {
      await server.sql('VACUUM all_groups');
      const here = [petr.userId, 50.08, 14.42, 10];
      const nearest = await planOf(server, NEAREST_GROUPS, [...here, 20, 0]);
      expect(nearest).toContainEqual(expect.stringMatching(/^Index Scan using groups_nearest /));
      expect(nearest).toContain('Incremental Sort');
      const nearestTotal = await planOf(server, NEAREST_GROUPS_TOTAL, here);
      expect(nearestTotal).toContainEqual(expect.stringMatching(/^Index Only Scan using groups_cell /));
      const newest = await planOf(server, NEWEST_GROUPS, [petr.userId, 20, 0]);
      expect(newest).toContainEqual(expect.stringMatching(/^Index Scan using groups_newest /));
      expect(await planOf(server, NEWEST_GROUPS_TOTAL, [petr.userId])).toContain('Seq Scan on group_cells');
      for (const plan of [nearest, newest])
        expect(plan.filter((line) => /^(Sort$|Seq Scan on all_groups)/.test(line))).toEqual([]);
    });
  });
});
