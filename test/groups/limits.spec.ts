import { buildGroup, addMember, type BuiltGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const PARALLEL = 50;

/**
 * GRP-4, GRP-14, GRP-16: an account owns at most 5 groups, and a group has at most 30 pending invitations. Parallel
 * requests cannot exceed the limit of invitations. `members_count` and the memberships are correct after parallel
 * requests.
 */
describe('groups at their limits and under parallel requests', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => (jana = await server.person('jana')));

  const answersWithCode = (answers: readonly Answer[], code: string): Answer[] =>
    answers.filter(({ body }) => body.code === code);
  const pendingInvitations = async ({ groupId }: BuiltGroup): Promise<number | undefined> =>
    (
      await server.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM group_members WHERE group_id = $1 AND role = 'invited'`,
        [groupId],
      )
    )[0]?.n;

  // GRP-4
  it('count towards the limit of their owner while they exist, but not towards the limits of other members', async () => {
    const petr = await server.person('petr');
    for (let i = 0; i < 5; i++) await buildGroup(server, jana);
    await addMember(server, await buildGroup(server, petr), jana, 'member');
    expect((await jana.api.post('/groups', { name: 'Šestá' })).body.code).toBe('group_limit_reached');
    expect((await jana.api.post('/groups', { name: '' })).body.code).toBe('validation_failed');
    const [latest] = (await jana.api.get('/groups?per_page=100')).body.data.filter(
      ({ viewer }: { viewer: { role: string } }) => viewer.role === 'owner',
    );
    await jana.api.delete(`/groups/${latest.id}`);
    expect((await jana.api.post('/groups', { name: 'Zase pátá' })).status).toBe(201);
  });

  // GRP-14, LIM-5
  it('allow thirty of fifty parallel invitations; accepted, declined and withdrawn invitations no longer count', async () => {
    const invitees = await Promise.all(
      Array.from({ length: PARALLEL }, () => server.person('many', { access: 'write' })),
    );
    const group = await buildGroup(server, jana);
    const invite = (person: Person): Promise<Answer> =>
      jana.api.post(`/groups/${group.id}/members`, { user: person.slug });

    const answers = await Promise.all(invitees.map(invite));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    expect(answersWithCode(answers, 'invite_limit_reached').map(({ status }) => status)).toEqual(
      Array(PARALLEL - 30).fill(409),
    );
    expect(await pendingInvitations(group)).toBe(30);

    const invited = invitees.filter((_, i) => answers[i]?.status === 201);
    const waiting = invitees.filter((_, i) => answers[i]?.status === 409);
    await invited[0]!.api.post(`/groups/${group.id}/join`);
    await invited[1]!.api.delete(`/groups/${group.id}/join`);
    await jana.api.delete(`/groups/${group.id}/members/${invited[2]!.slug}`);
    const repeated = await Promise.all(waiting.map(invite));
    expect(repeated.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await pendingInvitations(group)).toBe(30);
  });

  // GRP-14
  it('do not count requests to join as invitations', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => server.person('many')));
    const group = await buildGroup(server, jana, { with: people.map((person) => [person, 'requested'] as const) });
    const petr = await server.person('petr');
    expect((await jana.api.post(`/groups/${group.id}/members`, { user: petr.slug })).status).toBe(201);
  });

  // GRP-16
  it('have a `members_count` that equals the number of listed members after many people have joined and left in parallel', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => server.person('many')));
    const group = await buildGroup(server, jana, { with: people.map((person) => [person, 'invited'] as const) });
    await Promise.all(
      people.flatMap(({ api }) => [
        api.post(`/groups/${group.id}/join`),
        api.delete(`/groups/${group.id}/join`),
        api.post(`/groups/${group.id}/join`),
      ]),
    );
    const { body } = await jana.api.get(`/groups/${group.id}`);
    expect((await jana.api.get(`/groups/${group.id}/members`)).body.meta.total).toBe(body.data.members_count);
  });

  // GRP-16
  it('let a request that is sent many times in parallel take effect only once', async () => {
    const petr = await server.person('petr');
    const group = await buildGroup(server, jana);
    const answers = await Promise.all(Array.from({ length: 20 }, () => petr.api.post(`/groups/${group.id}/join`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answersWithCode(answers, 'has_pending_request')).toHaveLength(19);
    const at = `/groups/${group.id}/members/${petr.slug}`;
    const approvals = await Promise.all(Array.from({ length: 10 }, () => jana.api.post(`${at}/approve`)));
    expect(approvals.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await jana.api.get(`/groups/${group.id}`)).body.data.members_count).toBe(2);
    const removals = await Promise.all(Array.from({ length: 10 }, () => jana.api.delete(at)));
    expect(removals.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await jana.api.get(`/groups/${group.id}`)).body.data.members_count).toBe(1);
  });
});
