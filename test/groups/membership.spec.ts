import type { GroupRole } from '#contract/vocabulary';
import { buildGroup, addMember, type BuiltGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

type RoleOrNone = GroupRole | 'none';

/**
 * GRP-10, GRP-11, GRP-13, GRP-15: the result of each action for each role that Eva can have before the action. A cell
 * contains the HTTP status, and then either Eva's role after the action or the error code.
 */
const TABLE = `
  what happens       | none             | requested               | invited             | member              | owner
  eva joins          | 200 requested    | 409 has_pending_request | 200 member          | 409 already_related | 409 already_related
  eva leaves         | 404 not_related  | 204 none                | 204 none            | 204 none            | 403 owner_cannot_leave
  eva is invited     | 201 invited      | 409 has_pending_request | 409 already_related | 409 already_related | 422 invalid_invitee
  eva is approved    | 404 not_requested| 200 member              | 404 not_requested   | 404 not_requested   | 404 not_requested
  eva is removed     | 404 not_related  | 204 none                | 204 none            | 204 none            | 403 cannot_remove_owner`;

const [HEADER = [], ...ROWS] = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const CELLS = ROWS.flatMap(([what = '', ...cells]) =>
  cells.map((expected, i) => ({ what, from: HEADER[i + 1] as RoleOrNone, expected })),
);

describe('memberships of a group', () => {
  let server: TestServer;
  let eva: Person;
  let founder: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => ({ eva, founder } = await server.people('eva', 'founder')));

  const members = (group: BuiltGroup, query = ''): Promise<Answer> =>
    group.founder.api.get(`/groups/${group.id}/members${query}`);

  /**
   * Checks that these responses agree with Eva's role: `viewer` and `members_count` of the group, the owner's lists of
   * people, and Eva's lists of groups.
   */
  async function expectRole(group: BuiltGroup, role: RoleOrNone): Promise<void> {
    const groupForEva = (await eva.api.get(`/groups/${group.id}`)).body.data;
    expect(groupForEva.viewer).toEqual({ role: role === 'none' ? null : role, can_request: role === 'none' });
    expect(groupForEva.members_count).toBe(role === 'member' ? 2 : 1);
    for (const status of ['member', 'invited', 'requested'] as const) {
      const listed = status === (role === 'owner' ? 'member' : role) ? 1 : 0;
      const slugs = (await members(group, `?status=${status}`)).body.data.map(
        (item: { user: { slug: string } }) => item.user.slug,
      );
      expect(slugs.filter((slug: string) => slug === eva.slug)).toHaveLength(listed);
      expect((await eva.api.get(`/groups?relation=${status}`)).body.meta.total).toBe(listed);
    }
  }

  // GRP-10, GRP-11, GRP-13, GRP-15
  it.each(CELLS)(
    'change as the table defines (role before: $from): $what → $expected',
    async ({ what, from, expected }) => {
      const group = await buildGroup(server, from === 'owner' ? eva : founder);
      if (from !== 'none' && from !== 'owner') await addMember(server, group, eva, from);
      const { api } = group.founder;
      const path = `/groups/${group.id}`;
      const actions: Record<string, () => Promise<Answer>> = {
        'eva joins': () => eva.api.post(`${path}/join`),
        'eva leaves': () => eva.api.delete(`${path}/join`),
        'eva is invited': () => api.post(`${path}/members`, { user: eva.slug }),
        'eva is approved': () => api.post(`${path}/members/${eva.slug}/approve`),
        'eva is removed': () => api.delete(`${path}/members/${eva.slug}`),
      };

      const answer = await actions[what]!();

      const [status, rest = ''] = [Number(expected.slice(0, 3)), expected.slice(4)];
      expect(answer.status).toBe(status);
      if (status >= 400) expect(answer.body.code).toBe(rest);
      if (status === 204) expect(answer.text).toBe('');
      if (what === 'eva joins' && status === 200) expect(answer.body.data).toEqual((await eva.api.get(path)).body.data);
      else if (status < 204) expect(answer.body.data).toMatchObject({ user: { slug: eva.slug }, role: rest });
      await expectRole(group, status >= 400 ? from : (rest as RoleOrNone));
    },
  );

  it('can be created in a private group from an invitation, and from a join request that was sent while the group was public', async () => {
    const [invited, requested] = [
      await buildGroup(server, founder, { is_public: false }),
      await buildGroup(server, founder),
    ];
    await addMember(server, invited, eva, 'invited');
    expect((await eva.api.post(`/groups/${invited.id}/join`)).body.data.viewer.role).toBe('member');
    await eva.api.post(`/groups/${requested.id}/join`);
    await founder.api.patch(`/groups/${requested.id}`, { is_public: false });
    expect((await eva.api.get(`/groups/${requested.id}`)).body.data.viewer).toEqual({
      role: 'requested',
      can_request: false,
    });
    expect((await founder.api.post(`/groups/${requested.id}/members/${eva.slug}/approve`)).status).toBe(200);
    await eva.api.delete(`/groups/${requested.id}/join`);
    expect((await eva.api.get(`/groups/${requested.id}`)).status).toBe(404);
  });

  describe('GET /groups/{id}/members', () => {
    // GRP-12
    it('lists the founder first, then the members in order of joining; lists other people in order of invitation or request', async () => {
      const others = await Promise.all(['adam', 'bara', 'cyril'].map((name) => server.person(name)));
      // The person who joined last was invited before the other people joined.
      const group = await buildGroup(server, founder, { with: [[others[2]!, 'invited']] });
      for (const person of others.slice(0, 2)) await addMember(server, group, person, 'member');
      await others[2]!.api.post(`/groups/${group.id}/join`);
      const { body } = await others[1]!.api.get(`/groups/${group.id}/members`);
      expect(body.data.map((item: { user: { slug: string }; role: string }) => [item.user.slug, item.role])).toEqual([
        [founder.slug, 'owner'],
        ...others.map(({ slug }) => [slug, 'member']),
      ]);
      expect(body.data[1]).toEqual({
        user: { name: others[0]!.name, nickname: null, slug: others[0]!.slug, avatar_url: null },
        role: 'member',
        joined_at: expect.stringMatching(/Z$/),
        created_at: expect.stringMatching(/Z$/),
      });
      expect((await members(group, '?per_page=3&page=2')).body.meta).toMatchObject({ total: 4, from: 4, to: 4 });
      const [first, second] = [await server.person('first'), await server.person('second')];
      const invited = await buildGroup(server, founder);
      const requested = await buildGroup(server, founder);
      for (const person of [second, first]) {
        server.clock.forward(1000);
        await founder.api.post(`/groups/${invited.id}/members`, { user: person.slug });
        await person.api.post(`/groups/${requested.id}/join`);
      }
      for (const [list, status] of [
        [invited, 'invited'],
        [requested, 'requested'],
      ] as const)
        expect(
          (await members(list, `?status=${status}`)).body.data.map(({ user }: { user: { slug: string } }) => user.slug),
        ).toEqual([second.slug, first.slug]);
    });

    // GRP-12
    it('shows ordinary members only the members, and no invited people or requesters', async () => {
      const { member, invited, requester } = await server.people('member', 'invited', 'requester');
      const group = await buildGroup(server, founder, {
        with: [
          [member, 'member'],
          [invited, 'invited'],
          [requester, 'requested'],
        ],
      });
      const membersFor = async (person: Person, query = ''): Promise<unknown> => {
        const { status, body } = await person.api.get(`/groups/${group.id}/members${query}`);
        return status === 200
          ? [body.data.map((item: { user: { slug: string } }) => item.user.slug), body.meta.total]
          : body.code;
      };
      for (const query of ['', '?status=member'])
        expect(await membersFor(member, query)).toEqual([[founder.slug, member.slug], 2]);
      for (const query of ['?status=invited', '?status=requested'])
        expect(await membersFor(member, query)).toBe('forbidden');
      expect([
        await membersFor(founder),
        await membersFor(founder, '?status=invited'),
        await membersFor(founder, '?status=requested'),
      ]).toEqual([
        [[founder.slug, member.slug], 2],
        [[invited.slug], 1],
        [[requester.slug], 1],
      ]);
      for (const outsider of [invited, requester]) expect(await membersFor(outsider)).toBe('forbidden');
      // WIRE-37: the membership is checked before the validation, the permission for a `status` after it.
      const invalid = '?status=invited&page=0';
      expect([await membersFor(invited, invalid), await membersFor(member, invalid)]).toEqual([
        'forbidden',
        'validation_failed',
      ]);
    });

    it('shows no joining time for people who have asked to join', async () => {
      const group = await buildGroup(server, founder, { with: [[eva, 'requested']] });
      expect((await members(group, '?status=requested')).body.data).toEqual([
        {
          user: expect.objectContaining({ slug: eva.slug }),
          role: 'requested',
          joined_at: null,
          created_at: expect.any(String),
        },
      ]);
    });

    it('refuses an unknown status', async () => {
      const answer = await members(await buildGroup(server, founder), '?status=banned');
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['status']]);
    });
  });

  describe('POST /groups/{id}/members', () => {
    it.each([[{}], [{ user: null }], [{ user: '' }], [{ user: 3 }]])('refuses %j with 422 on user', async (body) => {
      const group = await buildGroup(server, founder);
      const answer = await founder.api.post(`/groups/${group.id}/members`, body);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['user']]);
    });

    // GRP-13
    it('refuses people who are unknown, not searchable or banned', async () => {
      const hidden = await server.person('hidden', { searchable: false });
      const group = await buildGroup(server, founder);
      const banned = await server.person('banned', { banned: true });
      for (const user of ['nobody-at-all', hidden.slug, banned.slug, 'x'.repeat(300)]) {
        const answer = await founder.api.post(`/groups/${group.id}/members`, { user });
        expect([answer.status, answer.body.code]).toEqual([422, 'invalid_invitee']);
      }
      expect((await hidden.api.post(`/groups/${group.id}/join`)).body.data.viewer.role).toBe('requested');
    });

    // GRP-13
    it('checks whether the person is already related to the group before it checks the limit of invitations', async () => {
      const group = await buildGroup(server, founder, { with: [[eva, 'invited']] });
      const others = await Promise.all(Array.from({ length: 29 }, () => server.person('many')));
      for (const person of others) await addMember(server, group, person, 'invited');
      expect((await founder.api.post(`/groups/${group.id}/members`, { user: eva.slug })).body.code).toBe(
        'already_related',
      );
    });
  });

  // GRP-15
  it('cannot be approved or removed for an unknown slug; the response is 404', async () => {
    const group = await buildGroup(server, founder);
    const answers = [
      await founder.api.post(`/groups/${group.id}/members/nobody-at-all/approve`),
      await founder.api.delete(`/groups/${group.id}/members/nobody-at-all`),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
  });
});
