import { createHash } from 'node:crypto';
import { GroupsReader } from '#areas/groups/groups.reader';
import { buildEvent, eventBody } from '#testing/builders';
import { buildGroup, addMember, type BuiltGroup } from '#testing/groups';
import { changeWhileWaiting } from '#testing/held-lock';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const MEMBERS = 200;
const EVENTS = 100;
const INTERESTS = 60;

/**
 * GRP-7: deleting a group deletes its memberships, its interests in other events and its pictures. The events and the
 * chat of the group are not deleted. The invite link of the group becomes invalid.
 */
describe('deleting a group', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => (jana = await server.person('jana')));

  /**
   * Returns, for each table, the number of rows and a hash of the rows. Ignored rows: the group, its memberships, its
   * interests, its files (`keys`), and the counts of groups in cells of the map. Ignored values: the references to the
   * group, the revisions and versions of all rows, and the change times of the group's events, because the deletion
   * changes these values. The times at which tokens were last used are ignored too, because each request changes them.
   */
  async function hashesOfOtherRows(
    group: BuiltGroup,
    eventIds: ReadonlySet<unknown>,
    keys: readonly string[],
  ): Promise<Map<string, string>> {
    // The feed of changes is ignored, because it is not known when the entry about the deletion gets its number.
    const tables = await server.sql<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
          AND c.relname NOT IN ('change_feed', 'unnumbered_changes') ORDER BY 1`,
    );
    const found = new Map<string, string>();
    for (const { name } of tables) {
      const rows = await server.sql<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) AS row FROM ${name} t ORDER BY to_jsonb(t)::text`,
      );
      const others = rows
        .map(({ row }) => row)
        .filter((row) => !(name === 'all_groups' && row['id'] === group.groupId))
        .filter((row) => name !== 'group_cells' && !keys.includes(row['key'] as string))
        .filter((row) => !(['group_members', 'group_interests'].includes(name) && row['group_id'] === group.groupId))
        .map((row) => ({
          ...row,
          revision: null,
          version: null,
          last_used_at: null,
          ...(name === 'all_events' && eventIds.has(row['id']) && { updated_at: null }),
          group_id: row['group_id'] === group.groupId ? null : row['group_id'],
        }));
      const digests = others.map((row) => createHash('sha256').update(JSON.stringify(row)).digest('hex')).sort();
      found.set(name, `${others.length} ${createHash('sha256').update(digests.join()).digest('hex')}`);
    }
    return found;
  }

  async function fillGroup(group: BuiltGroup, host: Person): Promise<void> {
    await server.sql(
      `WITH people AS (
         INSERT INTO users (slug, name, created_at, updated_at) SELECT 'm-' || $1::text || '-' || n, 'Many', now(), now()
           FROM generate_series(1, ${MEMBERS - 2}) n RETURNING id)
       INSERT INTO group_members (group_id, user_id, role, joined_at, created_at)
       SELECT $1::bigint, id, 'member', now(), now() FROM people`,
      [group.groupId],
    );
    await server.sql('UPDATE groups SET members_count = $2 WHERE id = $1', [group.groupId, MEMBERS]);
    for (let i = 0; i < 2; i++) await buildEvent(server, jana, { group: group.id });
    await server.sql(
      `INSERT INTO events (organizer_id, group_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
       SELECT $2, $1, 'Akce ' || n, 'other', now() + interval '1 day', false, 'open', false, false, now(), now() FROM generate_series(1, ${EVENTS - 2}) n`,
      [group.groupId, jana.userId],
    );
    await server.sql(
      `WITH others AS (
         INSERT INTO events (organizer_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
         SELECT $2, 'Jinde ' || n, 'other', now() + interval '1 day', true, 'open', false, false, now(), now()
           FROM generate_series(1, ${INTERESTS}) n RETURNING id)
       INSERT INTO group_interests SELECT $1, id, $3, now() FROM others`,
      [group.groupId, host.userId, jana.userId],
    );
  }

  // GRP-7
  it('deletes 200 memberships, one join request, 60 interests and the files of the group; events, the chat and all other data stay', async () => {
    const { petr, host, eva } = await server.people('petr', 'host', 'eva');
    const group = await buildGroup(server, jana, {
      with: [
        [petr, 'member'],
        [eva, 'requested'],
      ],
    });
    const otherGroup = await buildGroup(server, jana, { with: [[petr, 'member']] });
    await buildEvent(server, jana, { group: otherGroup.id });
    await fillGroup(group, host);
    const photo = new Blob([new Uint8Array(await picture('jpeg'))]);
    const { cover_url } = (await jana.api.upload(`/groups/${group.id}/cover`, [['cover', photo]])).body.data;
    expect((await jana.api.upload(`/groups/${group.id}/avatar`, [['avatar', photo]])).status).toBe(200);
    expect((await server.nobody.get(`~${new URL(cover_url).pathname}`)).status).toBe(200);
    const { url } = (await jana.api.post(`/groups/${group.id}/invite-link`)).body.data;
    const code = url.split('/').at(-1);
    const reader = server.app.get(GroupsReader, { strict: false });
    expect((await reader.byInviteCode(code, null))?.group.id).toBe(group.id);
    const countIn = async (table: string): Promise<number> =>
      (
        await server.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE group_id = $1`, [group.groupId])
      )[0]!.n;
    expect([
      await countIn('group_members'),
      await countIn('events'),
      await countIn('group_interests'),
      await countIn('group_chats'),
    ]).toEqual([MEMBERS + 1, EVENTS, INTERESTS, 1]);
    const keys = (await server.sql<{ key: string }>('SELECT key FROM media_files')).map(({ key }) => key);
    expect(keys).toHaveLength(2);
    const events = await server.sql<{ id: number }>('SELECT to_jsonb(id) AS id FROM all_events WHERE group_id = $1', [
      group.groupId,
    ]);
    const eventIds = new Set<unknown>(events.map(({ id }) => id));
    const before = await hashesOfOtherRows(group, eventIds, keys);
    const [chat] = await server.sql<{ id: string }>('SELECT id FROM group_chats WHERE group_id = $1', [group.groupId]);

    expect((await jana.api.delete(`/groups/${group.id}`)).status).toBe(204);

    expect(await hashesOfOtherRows(group, eventIds, keys)).toEqual(before);
    expect(await server.sql('SELECT key FROM media_files')).toEqual([]);
    expect((await server.nobody.get(`~${new URL(cover_url).pathname}`)).status).toBe(404);
    for (const table of ['group_members', 'events', 'group_interests', 'group_chats'])
      expect([table, await countIn(table)]).toEqual([table, 0]);
    expect(await server.sql('SELECT name, group_id FROM group_chats WHERE id = $1', [chat!.id])).toEqual([
      { name: 'Turisti z Brna', group_id: null },
    ]);
    expect(await reader.byInviteCode(code, null)).toBeNull();
    expect(
      (await petr.api.get('/events?relation=invited')).body.data
        .map(({ group: id }: { group: string | null }) => id)
        .sort(),
    ).toEqual([otherGroup.id, null, null].sort());
  });

  // GRP-7
  it('makes later requests for the group return 404, including a second deletion', async () => {
    const { petr, eva } = await server.people('petr', 'eva');
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    await jana.api.delete(`/groups/${group.id}`);
    for (const { api } of [jana, petr, eva]) {
      for (const path of ['', '/members', '/events'])
        expect((await api.get(`/groups/${group.id}${path}`)).status).toBe(404);
      expect((await api.delete(`/groups/${group.id}`)).status).toBe(404);
      expect((await api.post(`/groups/${group.id}/join`)).status).toBe(404);
      expect((await api.get('/groups')).body.meta.total).toBe(0);
    }
  });

  // GRP-7
  it('is refused if another person has become the owner before the group is locked', async () => {
    const petr = await server.person('petr');
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const { status } = await changeWhileWaiting(
      server,
      ['all_groups', group.groupId],
      () => jana.api.delete(`/groups/${group.id}`),
      async () => {
        await server.sql('DELETE FROM group_members WHERE group_id = $1 AND user_id = $2', [
          group.groupId,
          jana.userId,
        ]);
        await server.sql('UPDATE all_groups SET owner_id = $2 WHERE id = $1', [group.groupId, petr.userId]);
      },
    );
    expect([status, (await petr.api.get(`/groups/${group.id}`)).status]).toEqual([403, 200]);
  });

  it('leaves no event that refers to the group, even if members create events, add interests and leave at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const people = await Promise.all(Array.from({ length: 5 }, () => server.person('member')));
      const host = await server.person('host');
      const otherEvent = await buildEvent(server, host);
      const founder = await server.person('founder');
      const group = await buildGroup(server, founder);
      for (const person of people) await addMember(server, group, person, 'member');
      const answers = await Promise.all([
        ...people.map(({ api }) => api.post('/events', eventBody({ group: group.id }))),
        ...people.map(({ api }) => api.put(`/groups/${group.id}/events/${otherEvent.id}/interest`)),
        ...people.map(({ api }) => api.delete(`/groups/${group.id}/join`)),
        founder.api.delete(`/groups/${group.id}`),
      ]);
      expect(
        answers.map(({ status }) => status).filter((status) => ![201, 204, 403, 404, 422].includes(status)),
      ).toEqual([]);
      expect(
        await server.sql('SELECT 1 FROM events WHERE group_id IS NOT NULL AND group_id NOT IN (SELECT id FROM groups)'),
      ).toEqual([]);
      expect(answers.at(-1)?.status).toBe(204);
      expect(await server.sql('SELECT 1 FROM groups WHERE id = $1', [group.groupId])).toEqual([]);
    }
  });
});
