import { GROUP_EVENTS } from '#areas/group-events/group-events.query';
import { GROUP_MEMBERS, MEMBER_IDS, OWN_GROUPS } from '#areas/groups/group.query';
import { planOf } from '#testing/plans';
import { TestServer } from '#testing/test-server';

/** The queries run on large tables: 2,000 people, 2,000 groups with up to 1,000 people, and 6,000 events. */
describe('query plans of the lists of groups', () => {
  let server: TestServer;
  let groupId: number;
  let userId: number;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ userId } = await server.person('jana'));
    await server.sql(
      `INSERT INTO users (slug, name, created_at, updated_at) SELECT 'many-' || n, 'Many', now(), now() FROM generate_series(1, 2000) n`,
    );
    await server.sql(
      `INSERT INTO groups (owner_id, name, is_public, members_count, invite_code, created_at, updated_at)
       SELECT $1, 'Parta ' || n, true, 1, 'code ' || n, now(), now() FROM generate_series(1, 2000) n`,
      [userId],
    );
    groupId = Number((await server.sql<{ id: string }>('SELECT min(id) AS id FROM groups'))[0]?.id);
    // One group has a thousand people, and the other groups have ten people each. In each group, about a quarter of the
    // people are invited, and about a quarter have sent a request.
    await server.sql(
      `INSERT INTO group_members
       SELECT g.id, $2 + n, CASE n % 4 WHEN 0 THEN 'invited' WHEN 1 THEN 'requested' ELSE 'member' END,
              CASE WHEN n % 4 > 1 THEN now() - n * interval '1 second' END, now()
         FROM groups g, LATERAL generate_series(1, CASE WHEN g.id = $1 THEN 1000 ELSE 10 END) n`,
      [groupId, userId],
    );
    await server.sql(
      `INSERT INTO events (organizer_id, group_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
       SELECT $1, CASE WHEN n % 10 = 0 THEN $2 + n % 1000 END, 'Akce', 'other', now() + n * interval '1 minute', false, 'open', false, false, now(), now()
         FROM generate_series(1, 6000) n`,
      [userId, groupId],
    );
    await server.sql(
      `INSERT INTO group_interests SELECT $1 + id % 500, id, $2, now() FROM events WHERE group_id IS NULL AND id % 7 = 0`,
      [groupId, userId],
    );
    for (const table of ['users', 'all_groups', 'group_members', 'all_events', 'group_interests'])
      await server.sql(`VACUUM ANALYZE ${table}`);
  });
  afterAll(() => server.stop());

  it('use an index to find the groups of a person', async () => {
    const plan = await planOf(server, OWN_GROUPS.member, [userId, 20, 0]);
    expect(plan).toContainEqual(expect.stringMatching(/group_members_user/));
    expect(plan.filter((line) => line.startsWith('Seq Scan'))).toEqual([]);
  });

  it('read the members and the requesters of a group from an index that has their order, so they are not sorted', async () => {
    const members = await planOf(server, GROUP_MEMBERS.member, [groupId, 20, 0]);
    const requesters = await planOf(server, GROUP_MEMBERS.requested, [groupId, 20, 0]);
    expect(members).toContainEqual(expect.stringMatching(/^Index Scan using group_members_joined /));
    expect(requesters).toContainEqual(expect.stringMatching(/^Index Scan using group_members_pending /));
    for (const plan of [members, requesters]) expect(plan.filter((line) => /^(Sort|Seq Scan)/.test(line))).toEqual([]);
    expect((await planOf(server, MEMBER_IDS, [groupId])).filter((line) => line.startsWith('Seq Scan'))).toEqual([]);
  });

  it.each(['upcoming', 'past', 'any'] as const)('use an index to find the events of a group (%s)', async (scope) => {
    const plan = await planOf(server, GROUP_EVENTS[scope], [userId, groupId, new Date(), 20, 0]);
    expect(plan).toContainEqual(expect.stringMatching(/events_group/));
    expect(plan).toContainEqual(expect.stringMatching(/group_interests_pkey/));
    expect(plan.filter((line) => /^Seq Scan on (all_events|group_interests|participations)/.test(line))).toEqual([]);
  });
});
