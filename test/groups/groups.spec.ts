import { GroupAccessPolicy } from '#areas/groups/group-access.policy';
import { buildGroup, addMember } from '#testing/groups';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { WIRE_TIME } from '#testing/times';

describe('groups', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  // Each test gets new people, because a person can found only five groups.
  beforeEach(async () => ({ jana, petr } = await server.people('jana', 'petr')));

  const chatNameOf = async (groupId: number): Promise<string | undefined> =>
    (await server.sql<{ name: string }>('SELECT name FROM group_chats WHERE group_id = $1', [groupId]))[0]?.name;

  describe('POST /groups', () => {
    // GRP-1, GRP-3
    it('creates a private group with its founder as the owner and first member', async () => {
      const answer = await jana.api.post('/groups', { name: '  Turisti z Brna ' });
      expect(answer.status).toBe(201);
      const { data } = answer.body;
      expect(data).toEqual({
        id: expect.stringMatching(/^[A-Za-z]{8,}$/),
        name: 'Turisti z Brna',
        description: null,
        is_public: false,
        location_name: null,
        latitude: null,
        longitude: null,
        avatar_url: null,
        cover_url: null,
        members_count: 1,
        owner: { name: jana.name, nickname: null, slug: jana.slug, avatar_url: null },
        viewer: { role: 'owner', can_request: false },
        url: `http://127.0.0.1:3000/groups/${data.id}`,
        created_at: expect.stringMatching(WIRE_TIME),
        updated_at: data.created_at,
      });
      expect((await jana.api.get(`/groups/${data.id}`)).body.data).toEqual(data);
    });

    // GRP-2, GRP-6
    it('stores and returns every field, and creates a chat with the same name', async () => {
      const sent = {
        name: '😀'.repeat(60),
        description: 'ž'.repeat(500),
        is_public: true,
        location_name: 'Klub U Lva',
        latitude: 50.0875,
        longitude: 14.4213,
      };
      const { body, status } = await jana.api.post('/groups', {
        ...sent,
        members_count: 9,
        owner: petr.slug,
        avatar_url: 'x',
        nonsense: {},
      });
      expect(status).toBe(201);
      expect(body.data).toMatchObject({ ...sent, members_count: 1, avatar_url: null, owner: { slug: jana.slug } });
      const [chat] = await server.sql('SELECT name FROM group_chats ORDER BY id DESC LIMIT 1');
      expect(chat).toEqual({ name: sent.name });
    });

    const refused: [string, Record<string, unknown>, string][] = [
      ['a missing name', { name: undefined }, 'name'],
      ['a name that is null', { name: null }, 'name'],
      ['a name of one character', { name: ' 😀 ' }, 'name'],
      ['a name of 61 characters', { name: 'x'.repeat(61) }, 'name'],
      ['NUL in the name', { name: 'a\u0000b' }, 'name'],
      ['a description of 501 characters', { description: 'x'.repeat(501) }, 'description'],
      ['is_public as text', { is_public: 'true' }, 'is_public'],
      ['is_public that is null', { is_public: null }, 'is_public'],
      ['a latitude without a longitude', { latitude: 50 }, 'longitude'],
      ['a longitude without a latitude', { longitude: 14 }, 'latitude'],
      ['a latitude with a longitude that is null', { latitude: 50, longitude: null }, 'longitude'],
      ['latitude 91', { latitude: 91, longitude: 14 }, 'latitude'],
      ['longitude as text', { latitude: 50, longitude: '14' }, 'longitude'],
    ];
    // GRP-1
    it.each(refused)('refuses %s', async (_, overrides, field) => {
      const answer = await jana.api.post('/groups', { name: 'Parta', ...overrides });
      expect([answer.status, answer.body.code, Object.keys(answer.body.errors)]).toEqual([
        422,
        'validation_failed',
        [field],
      ]);
      expect((await jana.api.get('/groups')).body.meta.total).toBe(0);
    });
  });

  describe('PATCH /groups/{id}', () => {
    const place = { location_name: 'Brno', latitude: 49.19, longitude: 16.6 };

    // GRP-6
    it('changes only the fields in the body; a new name of the group is also the name of its chat', async () => {
      const group = await buildGroup(server, jana, { ...place, description: 'Popis' });
      const path = `/groups/${group.id}`;
      server.clock.forward(60_000);
      const { created_at } = (await jana.api.get(path)).body.data;
      const renamed = await jana.api.patch(path, { name: 'Nové jméno' });
      expect(Date.parse(renamed.body.data.updated_at)).toBeGreaterThan(Date.parse(created_at));
      expect(renamed.status).toBe(200);
      expect(renamed.body.data).toMatchObject({ ...place, name: 'Nové jméno', description: 'Popis', is_public: true });
      expect(await chatNameOf(group.groupId)).toBe('Nové jméno');
      expect((await jana.api.patch(path, { description: null, is_public: false })).body.data).toMatchObject({
        ...place,
        description: null,
        is_public: false,
      });
      // A PATCH with the values that the group already has changes nothing, not even updated_at.
      const { data: before } = (await jana.api.get(path)).body;
      server.clock.forward(60_000);
      for (const same of [{}, { name: 'Nové jméno', is_public: false, latitude: 49.19, longitude: 16.6 }])
        expect((await jana.api.patch(path, same)).body.data).toEqual(before);
      expect((await jana.api.delete(`${path}/avatar`)).status).toBe(204);
      expect((await jana.api.get(path)).body.data).toEqual(before);
    });

    // GRP-6
    it('removes the coordinates, but not the name of the place, if both coordinates are null', async () => {
      const group = await buildGroup(server, jana, place);
      expect(
        (await jana.api.patch(`/groups/${group.id}`, { latitude: null, longitude: null })).body.data,
      ).toMatchObject({ location_name: 'Brno', latitude: null, longitude: null });
      expect((await jana.api.patch(`/groups/${group.id}`, { latitude: 0, longitude: 0 })).body.data).toMatchObject({
        latitude: 0,
        longitude: 0,
      });
    });

    it.each([
      ['name', { name: null }],
      ['name', { name: 'a' }],
      ['is_public', { is_public: null }],
      ['longitude', { latitude: 50 }],
      ['longitude', { latitude: null }],
      ['latitude', { longitude: 14 }],
    ])(
      'refuses, with an error for %s, the change %j of a group that has coordinates, and leaves the group unchanged',
      async (field, change) => {
        const group = await buildGroup(server, jana, place);
        const before = (await jana.api.get(`/groups/${group.id}`)).body.data;
        const answer = await jana.api.patch(`/groups/${group.id}`, change);
        expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
        expect((await jana.api.get(`/groups/${group.id}`)).body.data).toEqual(before);
      },
    );

    // GRP-5
    it('answers 404 to people outside a private group, even if the body is invalid', async () => {
      const group = await buildGroup(server, jana, { is_public: false });
      const unknown = await petr.api.patch('/groups/nowhereatall', { name: '' });
      const hidden = await petr.api.patch(`/groups/${group.id}`, { name: '' });
      expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
      expect((await petr.api.post(`/groups/${group.id}/members`, {})).status).toBe(404);
    });

    // GRP-5
    it('checks whether the caller owns the group before it checks the body', async () => {
      const group = await buildGroup(server, jana);
      const answer = await petr.api.patch(`/groups/${group.id}`, { name: '' });
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    });
  });

  describe('GET /groups', () => {
    // GRP-8
    it('lists the memberships, the invitations or the requests of the caller, the latest first', async () => {
      // The joined group is older than Petr's own group, but Petr joins it after he has founded his own.
      const [joined, founded] = [await buildGroup(server, jana, { is_public: false }), await buildGroup(server, petr)];
      const [invited, requested] = [await buildGroup(server, jana), await buildGroup(server, jana)];
      await addMember(server, joined, petr, 'member');
      await addMember(server, invited, petr, 'invited');
      await addMember(server, requested, petr, 'requested');
      const ids = async (query = ''): Promise<string[]> =>
        (await petr.api.get(`/groups${query}`)).body.data.map((group: { id: string }) => group.id);
      expect(await ids()).toEqual([joined.id, founded.id]);
      expect(await ids('?relation=member')).toEqual([joined.id, founded.id]);
      expect(await ids('?relation=invited')).toEqual([invited.id]);
      expect(await ids('?relation=requested')).toEqual([requested.id]);
      const { meta } = (await petr.api.get('/groups?per_page=1&page=2')).body;
      expect(meta).toMatchObject({ total: 2, current_page: 2, last_page: 2, from: 2, to: 2 });
    });

    // GRP-8: the membership of an invited person begins when the person accepts.
    it('sorts a membership by the time when the person joined, not by the time of the invitation', async () => {
      const invited = await buildGroup(server, jana);
      expect((await jana.api.post(`/groups/${invited.id}/members`, { user: petr.slug })).status).toBe(201);
      const founded = await petr.api.post('/groups', { name: 'Turisti' });
      expect((await petr.api.post(`/groups/${invited.id}/join`)).status).toBe(200);
      const { data } = (await petr.api.get('/groups')).body;
      expect(data.map(({ id }: { id: string }) => id)).toEqual([invited.id, founded.body.data.id]);
    });

    // GRP-3
    it('returns each group with the role of the caller', async () => {
      const group = await buildGroup(server, jana, { with: [[petr, 'invited']] });
      const [item] = (await petr.api.get('/groups?relation=invited')).body.data;
      expect(item).toEqual((await petr.api.get(`/groups/${group.id}`)).body.data);
      expect(item.viewer).toEqual({ role: 'invited', can_request: false });
    });

    it.each(['relation=boss', 'relation=owner', 'per_page=0', 'page=x'])('refuses %s', async (query) => {
      const answer = await petr.api.get(`/groups?${query}`);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [query.split('=')[0]]]);
    });
  });

  // GRP-5
  it('are not shown to a person outside the group (404) if the group becomes private during the request', async () => {
    const { id, groupId } = await buildGroup(server, jana, { is_public: true });
    const access = server.app.get(GroupAccessPolicy);
    const visible = access.visible.bind(access);
    const checked = jest.spyOn(access, 'visible').mockImplementationOnce(async (...values) => {
      const relation = await visible(...values);
      await server.sql(`UPDATE groups SET is_public = false, description = 'Tajné' WHERE id = $1`, [groupId]);
      return relation;
    });
    const answer = await petr.api.get(`/groups/${id}`);
    checked.mockRestore();
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect((await jana.api.get(`/groups/${id}`)).body.data.description).toBe('Tajné');
  });

  it('are not found (404) by an unknown id, a numeric id or an id with invalid characters', async () => {
    const group = await buildGroup(server, jana);
    for (const id of ['nowhereatall', String(group.groupId), '-', '%00']) {
      expect([(await jana.api.get(`/groups/${id}`)).status, id]).toEqual([404, id]);
    }
    expect((await jana.api.delete(`/groups/${group.id}/members/%00`)).status).toBe(404);
  });

  describe('POST /groups/{id}/invite-link', () => {
    // GRP-17
    it('returns a link with a random code, and returns the same link for every request', async () => {
      const [group, other] = [await buildGroup(server, jana, { is_public: false }), await buildGroup(server, jana)];
      const link = async (id: string): Promise<string> => {
        const answer = await jana.api.post(`/groups/${id}/invite-link`);
        expect([answer.status, Object.keys(answer.body.data)]).toEqual([200, ['url']]);
        return answer.body.data.url;
      };
      const url = await link(group.id);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/groups\/join\/[\w-]{32}$/);
      await jana.api.patch(`/groups/${group.id}`, { name: 'Jinak', is_public: true });
      expect(await link(group.id)).toBe(url);
      expect(await link(other.id)).not.toBe(url);
    });
  });
});
