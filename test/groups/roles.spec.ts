import { GROUP_ROLES, type GroupRole } from '#contract/vocabulary';
import { buildEvent, eventBody, type BuiltEvent } from '#testing/builders';
import { buildGroup, type BuiltGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

type Role = GroupRole | 'stranger';
const ROLES = ['stranger', ...GROUP_ROLES] as const;

/**
 * The result of every operation of a public group for every role (docs/rules/groups.md). In a private group, a stranger
 * gets 404 for every operation of the group. For POST /events with a group, public or private, a stranger gets 422.
 */
const TABLE = `
  action                       | stranger         | requested               | invited         | member              | owner
  GET group                    | 200              | 200                     | 200             | 200                 | 200
  PATCH group                  | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 200
  DELETE group                 | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 204
  join                         | 200              | 409 has_pending_request | 200             | 409 already_related | 409 already_related
  leave                        | 404 not_related  | 204                     | 204             | 204                 | 403 owner_cannot_leave
  list members                 | 403 forbidden    | 403 forbidden           | 403 forbidden   | 200                 | 200
  list invited                 | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 200
  list requested               | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 200
  invite                       | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 201
  approve                      | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 200
  remove                       | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 204
  remove themselves            | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 403 cannot_remove_owner
  invite link                  | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 200
  POST avatar                  | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 200
  DELETE avatar                | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 204
  POST cover                   | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 200
  DELETE cover                 | 403 forbidden    | 403 forbidden           | 403 forbidden   | 403 forbidden       | 204
  list events                  | 403 forbidden    | 403 forbidden           | 403 forbidden   | 200                 | 200
  add interest                 | 403 forbidden    | 403 forbidden           | 403 forbidden   | 204                 | 204
  interest in unknown event    | 403 forbidden    | 403 forbidden           | 403 forbidden   | 404 not_found       | 404 not_found
  remove interest              | 403 forbidden    | 403 forbidden           | 403 forbidden   | 204                 | 204
  POST event with the group    | 422 on group     | 422 on group            | 422 on group    | 201                 | 201`;

const [HEADER = [], ...ROWS] = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const EXPECTED = ROWS.flatMap(([action = '', ...cells]) =>
  cells.flatMap((expected, i) => {
    const role = HEADER[i + 1] as Role;
    const hidden = expected === '422 on group' ? expected : '404 not_found';
    return [
      { action, role, is_public: true, expected },
      { action, role, is_public: false, expected: role === 'stranger' ? hidden : expected },
    ];
  }),
);

// GRP-5, GRP-10, GRP-11, GRP-12, GRP-13, GRP-15, GRP-20, GRP-21
describe('the operations of a group', () => {
  let server: TestServer;
  let photo: Blob;
  /** The tested role approves `requester`, removes `member2` and invites `newcomer`. */
  let people: Record<Role | 'founder' | 'requester' | 'member2' | 'newcomer' | 'host', Person>;
  let otherEvent: BuiltEvent;
  let linked: BuiltEvent;
  let group: BuiltGroup;
  /** Groups that no operation has changed since they were built, with their rows, by owner and visibility. */
  const unchanged = new Map<string, { readonly group: BuiltGroup; readonly rows: unknown }>();

  beforeAll(async () => {
    server = await TestServer.start();
    photo = new Blob([new Uint8Array(await picture('jpeg'))]);
    people = await server.people(...ROLES, 'founder', 'requester', 'member2', 'newcomer', 'host');
    otherEvent = await buildEvent(server, people.host);
    linked = await buildEvent(server, people.host);
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await server.sql('DELETE FROM daily_counters');
    if ([...unchanged.values()].some((one) => one.group === group)) return;
    await server.sql('DELETE FROM events WHERE group_id IS NOT NULL');
    await server.sql('DELETE FROM groups WHERE id <> ALL($1)', [
      [...unchanged.values()].map((one) => one.group.groupId),
    ]);
  });

  async function newGroup(owner: Person, is_public: boolean): Promise<void> {
    group = await buildGroup(server, owner, {
      is_public,
      with: [
        [people.requested, 'requested'],
        [people.invited, 'invited'],
        [people.member, 'member'],
        [people.requester, 'requested'],
        [people.member2, 'member'],
      ],
    });
    await server.sql('INSERT INTO group_interests VALUES ($1, $2, $3, now())', [
      group.groupId,
      linked.eventId,
      owner.userId,
    ]);
  }

  /** Returns the rows that the operations can change: the group, its members, interests and chat, and its events. */
  async function changeableRows(): Promise<unknown> {
    return server.sql(
      `SELECT (SELECT jsonb_agg(one) FROM groups one WHERE id = $1) AS groups,
              (SELECT jsonb_agg(one ORDER BY user_id) FROM group_members one WHERE group_id = $1) AS members,
              (SELECT jsonb_agg(one ORDER BY event_id) FROM group_interests one WHERE group_id = $1) AS interests,
              (SELECT jsonb_agg(one) FROM group_chats one WHERE group_id = $1) AS chats,
              (SELECT jsonb_agg(id ORDER BY id) FROM events WHERE group_id = $1) AS events`,
      [group.groupId],
    );
  }

  const path = (rest = ''): string => `/groups/${group.id}${rest}`;
  const ACTIONS: Record<string, (who: Person) => Promise<Answer>> = {
    'GET group': ({ api }) => api.get(path()),
    'PATCH group': ({ api }) => api.patch(path(), { name: 'Jinak' }),
    'DELETE group': ({ api }) => api.delete(path()),
    join: ({ api }) => api.post(path('/join')),
    leave: ({ api }) => api.delete(path('/join')),
    'list members': ({ api }) => api.get(path('/members')),
    'list invited': ({ api }) => api.get(path('/members?status=invited')),
    'list requested': ({ api }) => api.get(path('/members?status=requested')),
    invite: ({ api }) => api.post(path('/members'), { user: people.newcomer.slug }),
    approve: ({ api }) => api.post(path(`/members/${people.requester.slug}/approve`)),
    remove: ({ api }) => api.delete(path(`/members/${people.member2.slug}`)),
    'remove themselves': ({ api, slug }) => api.delete(path(`/members/${slug}`)),
    'invite link': ({ api }) => api.post(path('/invite-link')),
    'POST avatar': ({ api }) => api.upload(path('/avatar'), [['avatar', photo]]),
    'DELETE avatar': ({ api }) => api.delete(path('/avatar')),
    'POST cover': ({ api }) => api.upload(path('/cover'), [['cover', photo]]),
    'DELETE cover': ({ api }) => api.delete(path('/cover')),
    'list events': ({ api }) => api.get(path('/events')),
    'add interest': ({ api }) => api.put(path(`/events/${otherEvent.id}/interest`)),
    'interest in unknown event': ({ api }) => api.put(path('/events/noeventatall/interest')),
    'remove interest': ({ api }) => api.delete(path(`/events/${linked.id}/interest`)),
    'POST event with the group': ({ api }) => api.post('/events', eventBody({ group: group.id })),
  };

  it('are all in the table of this test, with all roles', () => {
    expect(ROWS.map(([action]) => action)).toEqual(Object.keys(ACTIONS));
    expect(HEADER.slice(1).sort()).toEqual([...ROLES].sort());
    expect(EXPECTED).toHaveLength(Object.keys(ACTIONS).length * ROLES.length * 2);
  });

  it.each(EXPECTED)(
    'have the result in the table: $action by $role, public group: $is_public → $expected',
    async ({ action, role, is_public, expected }) => {
      const owner = role === 'owner' ? people.owner : people.founder;
      const key = `${owner.slug}, public: ${is_public}`;
      const reused = unchanged.get(key);
      unchanged.delete(key);
      if (reused) ({ group } = reused);
      else await newGroup(owner, is_public);
      const before = reused?.rows ?? (await changeableRows());

      const answer = await ACTIONS[action]!(people[role]);

      const [status, ...rest] = expected.split(' ');
      expect(answer.status).toBe(Number(status));
      if (expected === '422 on group') expect(Object.keys(answer.body.errors)).toEqual(['group']);
      else if (rest.length > 0) expect(answer.body.code).toBe(rest.join(' '));
      // The group has no pictures, so their deletion changes nothing.
      const isUnchanged =
        action.startsWith('GET') ||
        action.startsWith('list') ||
        action === 'invite link' ||
        action.startsWith('DELETE avatar') ||
        action.startsWith('DELETE cover');
      if (Number(status) >= 400 || isUnchanged) {
        expect(await changeableRows()).toEqual(before);
        unchanged.set(key, { group, rows: before });
      } else expect(await changeableRows()).not.toEqual(before);
    },
  );
});
