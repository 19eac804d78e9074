import { buildEvent, eventBody } from '#testing/builders';
import { changeWhileWaiting } from '#testing/held-lock';
import { buildGroup, addMember } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays, soon } from '#testing/times';
import { Visitor } from '#testing/visitor';
import { waitUntil } from '#testing/wait-until';

interface Item {
  id: string;
  group_link: string;
}

/** GRP-19 to GRP-21, EVT-31: POST /events with `group`, GET /groups/{id}/events, and the interest of a group. */
describe('events of a group', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  let eva: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  // New people for each test, because a person can create only two events a day.
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));

  async function invitations(eventId: number): Promise<number[]> {
    const rows = await server.sql<{ user_id: string }>(
      `SELECT user_id FROM participations WHERE event_id = $1 AND status = 'pending' AND invited_at IS NOT NULL ORDER BY user_id`,
      [eventId],
    );
    return rows.map((row) => Number(row.user_id));
  }
  const latestEvent = async (person: Person): Promise<number> =>
    Number(
      (await server.sql<{ id: string }>('SELECT max(id) AS id FROM events WHERE organizer_id = $1', [person.userId]))[0]
        ?.id,
    );

  describe('POST /events with group', () => {
    // GRP-19
    it('creates a private event, and invites all other members of the group and nobody else', async () => {
      const [hidden, invited, requester] = [
        await server.person('hidden', { searchable: false }),
        await server.person('i'),
        await server.person('r'),
      ];
      const group = await buildGroup(server, jana, {
        with: [
          [petr, 'member'],
          [eva, 'member'],
          [invited, 'invited'],
          [requester, 'requested'],
        ],
      });
      await server.sql(`INSERT INTO group_members VALUES ($1, $2, 'member', now(), now())`, [
        group.groupId,
        hidden.userId,
      ]);

      const { status, body } = await petr.api.post('/events', eventBody({ group: group.id }));

      expect(status).toBe(201);
      expect(body.data).toMatchObject({ group: group.id, is_public: false, current_participants: 1 });
      expect((await petr.api.get(`/events/${body.data.id}`)).body.data).toEqual(body.data);
      expect(await invitations(await latestEvent(petr))).toEqual(
        [jana, eva, hidden].map(({ userId }) => userId).sort((a, b) => a - b),
      );
      expect((await eva.api.get(`/discover/events/${body.data.id}`)).body.data.viewer.participation).toBe('pending');
      expect((await eva.api.get('/events?relation=invited')).body.data).toHaveLength(1);
      expect(
        await server.sql(
          `SELECT kind, person_id::int FROM notifications WHERE user_id = $1 AND kind <> 'group_invitation'`,
          [eva.userId],
        ),
      ).toEqual([{ kind: 'invitation', person_id: petr.userId }]);
      for (const person of [invited, requester])
        expect((await person.api.get(`/discover/events/${body.data.id}`)).status).toBe(404);
    });

    // GRP-19
    it('locks the organizer’s membership until the event is committed', async () => {
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      const waiting = async () =>
        (
          await server.sql(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).length;
      await server.sql('BEGIN');
      await server.sql('LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE');
      const creation = petr.api.post('/events', eventBody({ group: group.id }));
      await waitUntil(async () => (await waiting()) > 0);
      let hasLeft = false;
      const departure = petr.api.delete(`/groups/${group.id}/join`).finally(() => (hasLeft = true));
      await waitUntil(async () => hasLeft || (await waiting()) >= 2);
      expect(hasLeft).toBe(false);
      await server.sql('COMMIT');
      expect([(await creation).status, (await departure).status]).toEqual([201, 204]);
    });

    // GRP-19
    it('also invites members who block the organizer or are blocked by the organizer', async () => {
      const group = await buildGroup(server, jana, {
        with: [
          [petr, 'member'],
          [eva, 'member'],
        ],
      });
      await server.sql('INSERT INTO user_blocks VALUES ($1, $2), ($2, $3)', [petr.userId, jana.userId, eva.userId]);
      expect((await jana.api.post('/events', eventBody({ group: group.id }))).status).toBe(201);
      expect(await invitations(await latestEvent(jana))).toEqual([petr.userId, eva.userId].sort((a, b) => a - b));
    });

    // GRP-19
    it('sends no notice of the invitation to a member who blocks the organizer', async () => {
      const group = await buildGroup(server, jana, {
        with: [
          [petr, 'member'],
          [eva, 'member'],
        ],
      });
      await petr.api.put(`/blocks/${jana.slug}`);
      expect((await jana.api.post('/events', eventBody({ group: group.id }))).status).toBe(201);
      const notified = await server.sql<{ user_id: string }>(
        `SELECT user_id FROM notifications WHERE event_id = $1 AND kind = 'invitation'`,
        [await latestEvent(jana)],
      );
      expect(notified.map(({ user_id }) => Number(user_id))).toEqual([eva.userId]);
    });

    // GRP-19
    it('creates a public event if is_public is true, and also invites the members', async () => {
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      const { body } = await jana.api.post('/events', eventBody({ group: group.id, is_public: true }));
      expect(body.data).toMatchObject({ group: group.id, is_public: true });
      expect(await invitations(await latestEvent(jana))).toEqual([petr.userId]);
      expect((await eva.api.get(`/discover/events/${body.data.id}`)).body.data).toMatchObject({
        group: group.id,
        viewer: { participation: null },
      });
    });

    // GRP-19
    it('invites every member, even if there are more members than the limit of pending invitations', async () => {
      const group = await buildGroup(server, jana);
      await server.sql(
        `WITH people AS (INSERT INTO users (slug, name, created_at, updated_at) SELECT 'many-' || n, 'Many', now(), now() FROM generate_series(1, 150) n RETURNING id)
         INSERT INTO group_members SELECT $1, id, 'member', now(), now() FROM people`,
        [group.groupId],
      );
      expect((await jana.api.post('/events', eventBody({ group: group.id }))).status).toBe(201);
      expect(await invitations(await latestEvent(jana))).toHaveLength(150);
    });

    it('creates an ordinary public event if group is null', async () => {
      expect((await jana.api.post('/events', eventBody({ group: null }))).body.data).toMatchObject({
        group: null,
        is_public: true,
      });
    });

    // GRP-19
    it('refuses a group that the caller is not a member of', async () => {
      const [foreign, deleted] = [await buildGroup(server, petr), await buildGroup(server, petr)];
      await addMember(server, deleted, jana, 'member');
      await petr.api.delete(`/groups/${deleted.id}`);
      const [withInvitation, withRequest] = [await buildGroup(server, petr), await buildGroup(server, petr)];
      await addMember(server, withInvitation, jana, 'invited');
      await addMember(server, withRequest, jana, 'requested');
      const sent: unknown[] = [foreign.id, deleted.id, withInvitation.id, withRequest.id, 'nowhereatall', 12, {}];
      const answers: Answer[] = [];
      for (const group of sent) answers.push(await jana.api.post('/events', eventBody({ group })));
      expect(answers.map(({ status, body }) => [status, Object.keys(body.errors)])).toEqual(
        sent.map(() => [422, ['group']]),
      );
      const withTwoErrors = await jana.api.post('/events', eventBody({ group: foreign.id, ends_at: soon(1) }));
      expect(Object.keys(withTwoErrors.body.errors)).toEqual(['ends_at']);
      for (let i = 0; i < 2; i++) expect((await jana.api.post('/events', eventBody())).status).toBe(201);
    });

    it('creates no event and no invitations when the daily limit is reached', async () => {
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      for (let i = 0; i < 2; i++) await jana.api.post('/events', eventBody());
      expect((await jana.api.post('/events', eventBody({ group: group.id }))).body.code).toBe('daily_event_limit');
      expect(await server.sql('SELECT 1 FROM participations WHERE user_id = $1', [petr.userId])).toEqual([]);
      expect((await petr.api.get(`/groups/${group.id}/events`)).body.meta.total).toBe(0);
    });
  });

  // EVT-31
  it('show their group in every response if the reader can see the group at the time of the response', async () => {
    const group = await buildGroup(server, jana, { is_public: false, with: [[petr, 'member']] });
    const host = await server.person('host');
    const { id, eventId } = await buildEvent(server, petr, { title: 'Skrytá parta', group: group.id, is_public: true });
    const otherGroup = await buildGroup(server, host, { with: [[eva, 'member']] });
    await host.api.put(`/groups/${otherGroup.id}/events/${id}/interest`);
    const visitor = new Visitor(server);
    type Listed = { id: string; group: string | null };
    const groupIn = (items: Listed[]): string | null | undefined => items.find((one) => one.id === id)?.group;
    /**
     * Reads four responses as this person: three lists of Discover, and the response for the event. Returns the group
     * that each response shows for the event.
     */
    const groupsShown = async ({ api }: Person): Promise<unknown[]> => {
      const list = await api.get('/discover/events?per_page=100');
      const repeatedList = await api.send('GET', '/discover/events?per_page=100', {
        headers: { 'if-none-match': '"x"' },
      });
      return [
        groupIn(list.body.data),
        groupIn(repeatedList.body.data),
        groupIn((await api.get('/discover/events?q=skryta')).body.data),
        (await api.get(`/discover/events/${id}`)).body.data.group,
      ];
    };
    const shownEverywhere = (group: string | null): unknown[] => Array<string | null>(4).fill(group);
    expect([await groupsShown(jana), await groupsShown(eva), await groupsShown(jana)]).toEqual([
      shownEverywhere(group.id),
      shownEverywhere(null),
      shownEverywhere(group.id),
    ]);
    expect(groupIn((await eva.api.get(`/groups/${otherGroup.id}/events`)).body.data)).toBeNull();
    const tag = (await eva.api.get('/discover/events?per_page=100')).headers.get('etag') ?? '';
    expect((await eva.api.post(`/events/${id}/join`)).body.data.group).toBeNull();
    expect(groupIn((await eva.api.get('/events?relation=joined')).body.data)).toBeNull();
    // These pages and calendars can be read without an account.
    for (const path of [
      `/events/${id}`,
      '/',
      `/events/${id}.ics`,
      `/people/${petr.slug}/calendar.ics`,
      `/people/${petr.slug}`,
    ]) {
      const page = await visitor.get(path);
      expect([path, page.status, page.html.includes(group.id)]).toEqual([path, 200, false]);
    }
    for (const one of [await eva.api.get('/changes'), await host.api.get('/changes')])
      expect(one.text).not.toContain(group.id);
    // An invited person can see a private group. Everybody can see a public group.
    await addMember(server, group, eva, 'invited');
    expect(await groupsShown(eva)).toEqual(shownEverywhere(group.id));
    expect(
      (await eva.api.send('GET', '/discover/events?per_page=100', { headers: { 'if-none-match': tag } })).status,
    ).toBe(200);
    const paths = ['/discover/events?per_page=100', `/discover/events/${id}`, '/events?relation=joined'];
    const tags = await Promise.all(
      paths.map(
        async (path) =>
          (await eva.api.send('GET', path, { headers: { 'if-none-match': '"x"' } })).headers.get('etag') ?? '',
      ),
    );
    expect((await eva.api.delete(`/groups/${group.id}/join`)).status).toBe(204);
    const statuses = await Promise.all(
      paths.map(
        async (path, i) =>
          (await eva.api.send('GET', path, { headers: { 'if-none-match': tags[i] as string } })).status,
      ),
    );
    expect([statuses, await groupsShown(eva)]).toEqual([[200, 200, 200], shownEverywhere(null)]);
    await jana.api.patch(`/groups/${group.id}`, { is_public: true });
    expect(await groupsShown(eva)).toEqual(shownEverywhere(group.id));
    await jana.api.patch(`/groups/${group.id}`, { is_public: false });
    // When the organizer leaves the group, the response to the organizer changes. The version of the event does not
    // change.
    const beforeLeaving = await petr.api.get(`/events/${id}`);
    const version = (answer: Answer): string | undefined => /"(\d+)\./.exec(answer.headers.get('etag') ?? '')?.[1];
    expect((await petr.api.delete(`/groups/${group.id}/join`)).status).toBe(204);
    const afterLeaving = await petr.api.send('GET', `/events/${id}`, {
      headers: { 'if-none-match': beforeLeaving.headers.get('etag') ?? '' },
    });
    expect([
      beforeLeaving.body.data.group,
      afterLeaving.status,
      afterLeaving.body.data.group,
      groupIn((await petr.api.get('/events')).body.data),
    ]).toEqual([group.id, 200, null, null]);
    expect([version(afterLeaving), version(afterLeaving)]).toEqual([version(beforeLeaving), expect.any(String)]);
    expect((await petr.api.patch(`/events/${id}`, { title: 'Jinak' })).body.data.group).toBeNull();
    expect(await server.sql('SELECT group_id::int FROM events WHERE id = $1', [eventId])).toEqual([
      { group_id: group.groupId },
    ]);
  });

  describe('GET /groups/{id}/events', () => {
    /** Returns all events of the list, which fit on one page. Checks that the total counts only these events. */
    const list = async (person: Person, id: string, query = ''): Promise<[string, string][]> => {
      const { data, meta } = (await person.api.get(`/groups/${id}/events${query}`)).body;
      expect(meta.total).toBe(data.length);
      return data.map((item: Item) => [item.id, item.group_link]);
    };

    // GRP-20
    it('lists the group’s own events and the events in which the group is interested, if the caller sees them', async () => {
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      const [publicEvent, privateEvent] = [
        await buildEvent(server, jana, { group: group.id, is_public: true, starts_at: inDays(1) }),
        await buildEvent(server, jana, { group: group.id, starts_at: inDays(2) }),
      ];
      const otherEvent = await buildEvent(server, await server.person('host'), { starts_at: inDays(3) });
      await jana.api.put(`/groups/${group.id}/events/${otherEvent.id}/interest`);
      await addMember(server, group, eva, 'member'); // Eva joins after the event was created, so she is not invited.

      const all = [
        [otherEvent.id, 'interest'],
        [privateEvent.id, 'own'],
        [publicEvent.id, 'own'],
      ];
      expect(await list(jana, group.id)).toEqual(all);
      expect(await list(petr, group.id)).toEqual(all);
      expect(await list(eva, group.id)).toEqual([all[0], all[2]]);
      const [, item] = (await petr.api.get(`/groups/${group.id}/events`)).body.data;
      const shown = (await petr.api.get(`/discover/events/${privateEvent.id}`)).body.data;
      expect(item).toEqual({ ...shown, group_link: 'own' });
      expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['is_public']));
    });

    // GRP-20
    it('lists upcoming events with the earliest start first, and other scopes with the latest start first', async () => {
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      const own = { group: group.id, is_public: true };
      const [late, soonest, past, cancelled] = [
        await buildEvent(server, jana, { ...own, starts_at: inDays(9) }),
        await buildEvent(server, petr, { ...own, starts_at: inDays(3) }),
        await buildEvent(server, jana, { ...own, starts_at: inDays(-2) }),
        await buildEvent(server, jana, { ...own, starts_at: inDays(5) }),
      ];
      await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
      const ids = async (scope: string): Promise<string[]> => (await list(petr, group.id, scope)).map(([id]) => id);
      expect(await ids('?scope=upcoming')).toEqual([soonest.id, late.id]);
      expect(await ids('?scope=past')).toEqual([cancelled.id, past.id]);
      expect(await ids('')).toEqual([late.id, cancelled.id, soonest.id, past.id]);
      const { meta, data } = (await petr.api.get(`/groups/${group.id}/events?per_page=3&page=2`)).body;
      expect([meta.total, data.length]).toEqual([4, 1]);
    });

    // GRP-20
    it('refuses an unknown scope', async () => {
      const group = await buildGroup(server, jana);
      const answer = await jana.api.get(`/groups/${group.id}/events?scope=later`);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['scope']]);
    });

    it('excludes events that the caller is banned from, and events that the caller can no longer see', async () => {
      const host = await server.person('host');
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      const [eventWithBan, becomingPrivate] = [
        await buildEvent(server, host, { with: [[petr, 'banned']] }),
        await buildEvent(server, host, { with: [[petr, 'confirmed']] }),
      ];
      for (const { id } of [eventWithBan, becomingPrivate])
        expect((await jana.api.put(`/groups/${group.id}/events/${id}/interest`)).status).toBe(204);
      expect(await list(petr, group.id)).toEqual([[becomingPrivate.id, 'interest']]);
      await host.api.patch(`/events/${becomingPrivate.id}`, { is_public: false });
      expect(await list(petr, group.id)).toEqual([[becomingPrivate.id, 'interest']]);
      expect(await list(jana, group.id)).toEqual([[eventWithBan.id, 'interest']]);
    });
  });

  describe('the interest of a group in an event', () => {
    const interest = (person: Person, group: { id: string }, event: { id: string }, method = 'PUT'): Promise<Answer> =>
      person.api.send(method, `/groups/${group.id}/events/${event.id}/interest`);

    // GRP-21
    it('is stored once for the whole group, and can be added and removed by any member', async () => {
      const group = await buildGroup(server, jana, {
        with: [
          [petr, 'member'],
          [eva, 'member'],
        ],
      });
      const other = await buildGroup(server, eva);
      const event = await buildEvent(server, await server.person('host'));
      for (const person of [petr, petr, eva]) expect([(await interest(person, group, event)).status]).toEqual([204]);
      expect((await interest(eva, other, { id: String(event.eventId) })).status).toBe(204);
      expect((await jana.api.get(`/groups/${group.id}/events`)).body.meta.total).toBe(1);
      expect((await petr.api.get(`/discover/events/${event.id}`)).body.data.viewer.participation).toBeNull();
      expect((await interest(eva, group, event, 'DELETE')).status).toBe(204);
      expect((await interest(petr, group, event, 'DELETE')).body.code).toBe('not_found');
      expect((await eva.api.get(`/groups/${other.id}/events`)).body.meta.total).toBe(1);
    });

    // GRP-21
    it('is refused for a private, cancelled or unknown event, for the group’s own event, and for an event that the member may not see or is banned from', async () => {
      const host = await server.person('host');
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      const cases: [number, string, { id: string }][] = [
        [409, 'conflict', await buildEvent(server, host, { is_public: false, with: [[petr, 'pending']] })],
        [409, 'conflict', await buildEvent(server, jana, { group: group.id, is_public: true })],
        [404, 'not_found', await buildEvent(server, host, { is_public: false })],
        [403, 'banned', await buildEvent(server, host, { with: [[petr, 'banned']] })],
        [404, 'not_found', { id: 'nowhereatall' }],
      ];
      const cancelled = await buildEvent(server, host);
      await host.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
      for (const [status, code, event] of [...cases, [409, 'conflict', cancelled] as const]) {
        const answer = await interest(petr, group, event);
        expect([answer.status, answer.body.code]).toEqual([status, code]);
      }
      expect(await server.sql('SELECT 1 FROM group_interests WHERE group_id = $1', [group.groupId])).toEqual([]);
    });

    // GRP-21
    it('can be added for a past event, but not by a person who is removed from the group while the request waits for a lock', async () => {
      const host = await server.person('host');
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      const past = await buildEvent(server, host, { starts_at: inDays(-2) });
      expect((await interest(petr, group, past)).status).toBe(204);
      const event = await buildEvent(server, host);
      const answer = await changeWhileWaiting(
        server,
        ['all_events', event.eventId],
        () => interest(petr, group, event),
        () => server.sql('DELETE FROM group_members WHERE user_id = $1', [petr.userId]),
      );
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
      expect((await jana.api.get(`/groups/${group.id}/events`)).body.meta.total).toBe(1);
    });

    // GRP-21
    it('can be removed by a member who no longer sees the event', async () => {
      const host = await server.person('host');
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      const event = await buildEvent(server, host);
      await interest(jana, group, event);
      await host.api.patch(`/events/${event.id}`, { is_public: false });
      expect((await petr.api.get(`/discover/events/${event.id}`)).status).toBe(404);
      expect((await interest(petr, group, event, 'DELETE')).status).toBe(204);
      expect(await server.sql('SELECT 1 FROM group_interests WHERE group_id = $1', [group.groupId])).toEqual([]);
    });

    // GRP-20, GRP-21
    it('cannot be added or removed by non-members; these people get the same status for the event list, even if its query is invalid', async () => {
      const event = await buildEvent(server, await server.person('host'));
      for (const [is_public, status] of [
        [true, 403],
        [false, 404],
      ] as const) {
        const group = await buildGroup(server, jana, { is_public });
        await interest(jana, group, event);
        const statuses = [
          await interest(petr, group, event),
          await interest(petr, group, event, 'DELETE'),
          await petr.api.get(`/groups/${group.id}/events?scope=later`),
        ].map((answer) => answer.status);
        expect(statuses).toEqual([status, status, status]);
        await addMember(server, group, petr, 'invited');
        expect((await interest(petr, group, event, 'DELETE')).status).toBe(403);
        expect((await jana.api.get(`/groups/${group.id}/events`)).body.meta.total).toBe(1);
      }
    });

    // GRP-21
    it('is deleted with the event', async () => {
      const host = await server.person('host');
      const group = await buildGroup(server, jana);
      const event = await buildEvent(server, host, { starts_at: new Date(soon(4)) });
      await interest(jana, group, event);
      const stored = () => server.sql('SELECT 1 FROM group_interests WHERE group_id = $1', [group.groupId]);
      expect(await stored()).toHaveLength(1);
      expect((await host.api.delete(`/events/${event.id}`)).status).toBe(204);
      expect(await stored()).toEqual([]);
    });
  });
});
