import { ContentCommands, type RemovalStatus } from '#areas/moderation/content.commands';
import { ContentDecisions } from '#areas/moderation/content-decisions';
import { contentOf } from '#areas/moderation/contents';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import type { ContentKind } from '#contract/vocabulary';
import { PublicIds } from '#platform/http/public-ids';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { phonePhoto } from '#testing/media';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

/**
 * The effects of a removal on write requests, limits and dependent content. test/moderation/out-of-sight.spec.ts tests
 * that removed content is hidden.
 */
describe('removed content', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));

  const change = (
    action: 'remove' | 'restore',
    kind: ContentKind,
    id: string,
    reason = 'spam',
  ): Promise<RemovalStatus | null> =>
    server.database.transaction(async (tx) => {
      const content = (await contentOf(tx, server.app.get(PublicIds), kind, id))!;
      return action === 'remove'
        ? server.app.get(ContentDecisions).remove(tx, content, { publicId: id, reason, actorId: null })
        : server.app.get(ContentCommands).restore(tx, content, { actorId: null, subject: `${kind} ${id}` });
    });
  const remove = (kind: ContentKind, id: string, reason?: string) => change('remove', kind, id, reason);
  const restore = (kind: ContentKind, id: string) => change('restore', kind, id);
  const usedOf = async (person: Person, name: string): Promise<number> =>
    (await person.api.get('/limits')).body.data.find((one: { name: string }) => one.name === name).used as number;
  async function setBanned(person: Person, banned: boolean): Promise<void> {
    await server.database.transaction(async (tx) => {
      await server.app
        .get(UsersCommands)
        .update(tx, (await server.app.get(UsersReader).lockBySlug(tx, person.slug))!, { banned });
    });
  }

  // MOD-6
  it('gives 404 to requests that change a removed event or anything inside it, also to requests of the organizer', async () => {
    const { id } = await buildEvent(server, jana, { photos_enabled: true });
    await confirm(server, id, petr);
    const image = (await jana.api.upload(`/events/${id}/images`, [['images[]', new Blob([await phonePhoto()])]])).body
      .data[0].id as string;
    const comment = (await petr.api.post(`/events/${id}/comments`, { body: 'x' })).body.data.id as string;
    const expense = (await jana.api.post(`/events/${id}/expenses`, { title: 'x', amount: 10 })).body.data.id as string;
    const photo = (await petr.api.upload(`/events/${id}/photos`, [['photos[]', new Blob([await phonePhoto()])]])).body
      .data[0].id as string;
    await remove('event', id);
    const requests: [Person, string, string, Record<string, unknown>?][] = [
      [jana, 'PATCH', `/events/${id}`, { title: 'Jinak' }],
      [jana, 'DELETE', `/events/${id}`],
      [jana, 'DELETE', `/events/${id}/images/${image}`],
      [jana, 'POST', `/events/${id}/images/${image}/primary`],
      [eva, 'POST', `/events/${id}/join`],
      [petr, 'DELETE', `/events/${id}/join`],
      [eva, 'POST', `/events/${id}/waitlist`],
      [jana, 'POST', `/events/${id}/participants`, { user: eva.slug }],
      [jana, 'DELETE', `/events/${id}/participants/${petr.slug}`],
      [jana, 'POST', `/events/${id}/participants/${petr.slug}/promote`],
      [jana, 'PUT', `/events/${id}/participants/${petr.slug}/check-in`],
      [jana, 'POST', `/events/${id}/check-in`, { code: 'x' }],
      [jana, 'POST', `/events/${id}/tickets`, { count: 1 }],
      [petr, 'POST', `/events/${id}/comments`, { body: 'y' }],
      [petr, 'DELETE', `/comments/${comment}`],
      [jana, 'POST', `/events/${id}/expenses`, { title: 'y', amount: 1 }],
      [jana, 'DELETE', `/events/${id}/expenses/${expense}`],
      [petr, 'POST', `/events/${id}/expenses/payments`, { to: jana.slug, amount: 1, currency: 'CZK' }],
      [petr, 'DELETE', `/events/${id}/photos/${photo}`],
      [jana, 'PUT', `/events/${id}/itinerary`, { title: 'Plán', stops: [{ title: 'x' }] }],
      [jana, 'DELETE', `/events/${id}/itinerary`],
    ];
    for (const [person, method, path, json] of requests) {
      const { status, body } = await person.api.send(method, path, json ? { json } : {});
      expect([method, path, status, body?.code]).toEqual([method, path, 404, 'not_found']);
    }
    expect((await petr.api.upload(`/events/${id}/photos`, [['photos[]', new Blob([await phonePhoto()])]])).status).toBe(
      404,
    );
    await restore('event', id);
    expect((await jana.api.get(`/events/${id}`)).body.data).toMatchObject({
      title: 'Piknik ve Stromovce',
      current_participants: 2,
    });
    expect((await petr.api.get(`/discover/events/${id}`)).body.data.viewer.participation).toBe('confirmed');
  });

  // MOD-6
  it('gives 404 to requests that change a removed group, series, post or Puls post', async () => {
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const { id: series } = await buildSeries(server, jana);
    const [first] = await occurrencesOf(jana, series);
    const post = (
      await jana.api.post('/posts', { title: 'Článek', body: 'text', categories: ['kolo'], status: 'published' })
    ).body.data.slug as string;
    const puls = (
      await jana.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['body', 'x'],
      ])
    ).body.data.id as string;
    for (const [kind, id] of [
      ['group', group.id],
      ['series', series],
      ['post', post],
      ['puls', puls],
    ] as const)
      await remove(kind, id);
    const requests: [Person, string, string, Record<string, unknown>?][] = [
      [jana, 'PATCH', `/groups/${group.id}`, { name: 'Jinak' }],
      [jana, 'DELETE', `/groups/${group.id}`],
      [eva, 'POST', `/groups/${group.id}/join`],
      [petr, 'DELETE', `/groups/${group.id}/join`],
      [jana, 'POST', `/groups/${group.id}/members`, { user: eva.slug }],
      [jana, 'POST', `/groups/${group.id}/invite-link`],
      [jana, 'DELETE', `/groups/${group.id}/members/${petr.slug}`],
      [jana, 'PATCH', `/series/${series}`, { title: 'Jinak jindy' }],
      [jana, 'POST', `/series/${series}/cancel`],
      [eva, 'POST', `/events/${first!.id}/join`],
      [jana, 'PATCH', `/events/${first!.id}`, { title: 'Jinak jindy' }],
      [jana, 'PATCH', `/posts/${post}`, { title: 'Jinak jindy' }],
      [jana, 'DELETE', `/posts/${post}`],
      [eva, 'POST', `/posts/${post}/comments`, { body: 'x' }],
      [jana, 'DELETE', `/puls/${puls}`],
    ];
    for (const [person, method, path, json] of requests)
      expect([method, path, (await person.api.send(method, path, json ? { json } : {})).status]).toEqual([
        method,
        path,
        404,
      ]);
    const created = await jana.api.post('/events', { title: 'Ve skupině', starts_at: soon(), group: group.id });
    expect([created.status, Object.keys(created.body.errors as object)]).toEqual([422, ['group']]);
  });

  // MOD-8
  it('is not shown as the group of an event or as the event of a post until it is restored', async () => {
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true });
    const { slug } = (
      await jana.api.post('/posts', {
        title: 'O akci',
        body: 'text',
        categories: ['kolo'],
        status: 'published',
        event_id: id,
      })
    ).body.data;
    await remove('group', group.id);
    expect((await jana.api.get(`/events/${id}`)).body.data.group).toBeNull();
    expect((await petr.api.get(`/discover/events/${id}`)).body.data.group).toBeNull();
    // The group is not shown again after the organizer changes the event.
    expect((await jana.api.patch(`/events/${id}`, { title: 'Jinak jindy' })).body.data.group).toBeNull();
    await restore('group', group.id);
    expect((await jana.api.get(`/events/${id}`)).body.data.group).toBe(group.id);
    await remove('event', id);
    expect((await eva.api.get(`/posts/${slug}`)).body.data.event).toBeNull();
    expect((await jana.api.patch(`/posts/${slug}`, { title: 'O té akci' })).body.data.event).toBeNull();
    await restore('event', id);
    expect((await eva.api.get(`/posts/${slug}`)).body.data.event).toBe(id);
  });

  // MOD-4
  it('consists of one reply if a reply is removed, and of the whole thread if the root comment is removed', async () => {
    const { id } = await buildEvent(server, jana);
    const root = (await jana.api.post(`/events/${id}/comments`, { body: 'kořen' })).body.data.id as string;
    const reply = (await jana.api.post(`/events/${id}/comments`, { body: 'odpověď', parent: root })).body.data
      .id as string;
    const threads = async () =>
      (await eva.api.get(`/events/${id}/comments`)).body.data.map((one: { id: string; replies: { id: string }[] }) => [
        one.id,
        one.replies.map((other) => other.id),
      ]);
    await remove('comment', reply);
    expect(await threads()).toEqual([[root, []]]);
    await remove('comment', root);
    expect(await threads()).toEqual([]);
    expect((await jana.api.post(`/events/${id}/comments`, { body: 'x', parent: root })).body.code).toBe(
      'parent_invalid',
    );
    await restore('comment', root);
    expect(await threads()).toEqual([[root, []]]);
    await restore('comment', reply);
    expect(await threads()).toEqual([[root, [reply]]]);
  });

  // MOD-5
  it('has files that answer 404: the avatar of a removed group, and the picture of a comment if the comment, its root comment, its event or its post is removed', async () => {
    const picture = new Blob([await phonePhoto()]);
    const group = await buildGroup(server, jana);
    const avatar = (await jana.api.upload(`/groups/${group.id}/avatar`, [['avatar', picture]])).body.data
      .avatar_url as string;
    const { id } = await buildEvent(server, jana);
    const post = (
      await jana.api.post('/posts', { title: 'Článek', body: 'text', categories: ['kolo'], status: 'published' })
    ).body.data.slug as string;
    const comment = async (path: string, parent?: string) =>
      (
        await jana.api.upload(`${path}/comments`, [
          ['body', 'x'],
          ...(parent === undefined ? [] : [['parent', parent] as const]),
          ['image', picture],
        ])
      ).body.data as { id: string; image_url: string };
    const root = await comment(`/events/${id}`);
    const reply = await comment(`/events/${id}`, root.id);
    const postRoot = await comment(`/posts/${post}`);
    const postReply = await comment(`/posts/${post}`, postRoot.id);
    const statuses = (...urls: string[]) =>
      Promise.all(urls.map(async (url) => (await server.nobody.get(`~${new URL(url).pathname}`)).status));
    for (const [kind, removedId, urls, others] of [
      ['group', group.id, [avatar], [reply.image_url]],
      ['comment', root.id, [root.image_url, reply.image_url], [postReply.image_url]],
      ['comment', reply.id, [reply.image_url], [root.image_url]],
      ['event', id, [root.image_url, reply.image_url], [postReply.image_url]],
      ['post', post, [postRoot.image_url, postReply.image_url], [root.image_url, reply.image_url, avatar]],
    ] as const) {
      const all = [...urls, ...others];
      expect([kind, await statuses(...all)]).toEqual([kind, all.map(() => 200)]);
      await remove(kind, removedId);
      expect([kind, await statuses(...urls)]).toEqual([kind, urls.map(() => 404)]);
      expect([kind, await statuses(...others)]).toEqual([kind, others.map(() => 200)]);
      await restore(kind, removedId);
    }
  });

  // MOD-7
  it('does not count towards limits', async () => {
    const group = await buildGroup(server, jana);
    const { id: series } = await buildSeries(server, jana);
    const puls = (
      await jana.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['body', 'x'],
      ])
    ).body.data.id as string;
    const { id: requestedEvent } = await buildEvent(server, petr, { join_mode: 'request' });
    await jana.api.post(`/events/${requestedEvent}/join`);
    const names = ['groups_founded', 'series_live', 'puls_active', 'join_requests'];
    const used = async () => Promise.all(names.map((name) => usedOf(jana, name)));
    expect(await used()).toEqual([1, 1, 1, 1]);
    for (const [kind, id] of [
      ['group', group.id],
      ['series', series],
      ['puls', puls],
      ['event', requestedEvent],
    ] as const)
      await remove(kind, id);
    expect(await used()).toEqual([0, 0, 0, 0]);
    expect(
      (
        await jana.api.upload('/puls', [
          ['latitude', '50'],
          ['longitude', '14'],
          ['body', 'y'],
        ])
      ).status,
    ).toBe(201);
    for (const [kind, id] of [
      ['group', group.id],
      ['series', series],
      ['puls', puls],
      ['event', requestedEvent],
    ] as const)
      await restore(kind, id);
    expect(await used()).toEqual([1, 1, 2, 1]);
  });

  // MOD-7
  it('does not count towards the limit of ten photos of a person', async () => {
    const { id } = await buildEvent(server, jana, { photos_enabled: true });
    const picture = new Blob([await phonePhoto()]);
    const photos = (
      await jana.api.upload(
        `/events/${id}/photos`,
        Array.from({ length: 10 }, () => ['photos[]', picture] as const),
      )
    ).body.data as { id: string }[];
    const uploadStatus = async () => (await jana.api.upload(`/events/${id}/photos`, [['photos[]', picture]])).status;
    expect(await uploadStatus()).toBe(409);
    await remove('photo', photos[0]!.id);
    expect(await uploadStatus()).toBe(201);
    expect((await jana.api.get(`/events/${id}/photos`)).body.meta).toMatchObject({ total: 10, my_photos: 10 });
  });

  // MOD-3
  it('keeps its first reason if it is removed again', async () => {
    const { id } = await buildEvent(server, jana);
    const first = await remove('event', id, 'první');
    expect(first).toEqual({ removedAt: expect.any(Date), reason: 'první' });
    server.clock.forward(60_000);
    expect(await remove('event', id, 'druhý')).toEqual(first);
    expect(await restore('event', id)).toEqual({ removedAt: null, reason: null });
    expect(await restore('event', id)).toEqual({ removedAt: null, reason: null });
    expect(await remove('event', id, 'třetí')).toMatchObject({ reason: 'třetí' });
  });

  // MOD-4
  it('still includes an occurrence that was removed before its whole series was removed and restored', async () => {
    const { id: series } = await buildSeries(server, jana, { atMost: 2 });
    const [one, two] = await occurrencesOf(jana, series);
    await remove('event', one!.id);
    await remove('series', series);
    await restore('series', series);
    expect([
      (await eva.api.get(`/discover/events/${one!.id}`)).status,
      (await eva.api.get(`/discover/events/${two!.id}`)).status,
    ]).toEqual([404, 200]);
    expect((await jana.api.get(`/series/${series}`)).body.data.occurrences_count).toBe(1);
  });

  // MOD-10
  it('does not include all content of a banned person: comments, past events and cancelled events stay visible, and coming events are hidden during the ban', async () => {
    const past = await buildEvent(server, jana, { starts_at: new Date(Date.now() - 86_400_000) });
    const cancelled = await buildEvent(server, jana);
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    const coming = await buildEvent(server, jana);
    for (const { id } of [past, coming]) await confirm(server, id, petr);
    const otherEvent = await buildEvent(server, eva, { photos_enabled: true });
    await confirm(server, otherEvent.id, jana);
    const comment = (await jana.api.post(`/events/${otherEvent.id}/comments`, { body: 'x' })).body.data.id as string;
    await setBanned(jana, true);
    const statusFor = async (id: string) => (await petr.api.get(`/discover/events/${id}`)).status;
    expect([await statusFor(past.id), await statusFor(cancelled.id), await statusFor(coming.id)]).toEqual([
      200, 200, 404,
    ]);
    expect((await petr.api.get(`/events?relation=joined`)).body.data.map((one: { id: string }) => one.id)).toEqual([
      past.id,
    ]);
    expect(
      (await petr.api.get(`/events/${otherEvent.id}/comments`)).body.data.map((one: { id: string }) => one.id),
    ).toEqual([comment]);
    expect((await petr.api.delete(`/events/${coming.id}/join`)).status).toBe(404);
    await setBanned(jana, false);
    expect((await petr.api.get(`/discover/events/${coming.id}`)).body.data).toMatchObject({
      current_participants: 2,
      viewer: { participation: 'confirmed' },
    });
  });

  // MOD-5
  it('has the exact number of participants after the restoration, even if people joined the event at the moment of its removal', async () => {
    for (let i = 0; i < repetitions('removals'); i++) {
      const { id, eventId } = await buildEvent(server, jana);
      const people = await Promise.all(Array.from({ length: 4 }, (_, n) => server.person(`guest${n}`)));
      await Promise.all([remove('event', id), ...people.map((one) => one.api.post(`/events/${id}/join`))]);
      await restore('event', id);
      const [row] = await server.sql<{ confirmed_count: number; n: number }>(
        `SELECT e.confirmed_count, (SELECT count(*)::int FROM participations p WHERE p.event_id = e.id AND p.status = 'confirmed') AS n FROM all_events e WHERE e.id = $1`,
        [eventId],
      );
      expect(row!.confirmed_count).toBe(row!.n);
      expect((await jana.api.get(`/events/${id}`)).body.data.current_participants).toBe(row!.n + 1);
    }
  });

  // MOD-10
  it('is hidden, and so are events that an organizer creates at the same time as a moderator bans the organizer', async () => {
    for (let i = 0; i < repetitions('removals'); i++) {
      const { host } = await server.people('host');
      await Promise.all([
        setBanned(host, true),
        ...Array.from({ length: 3 }, () => buildEvent(server, host, { title: `Závod ${i}` })),
      ]);
      const listed = await server.sql('SELECT 1 FROM live_events WHERE organizer_id = $1', [host.userId]);
      expect(listed).toEqual([]);
      await setBanned(host, false);
      expect(await server.sql('SELECT 1 FROM live_events WHERE organizer_id = $1', [host.userId])).toHaveLength(3);
    }
  });
});
