import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Event } from '#areas/events/event.entity';
import { EventsCommands } from '#areas/events/events.commands';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { Settings } from '#platform/config/settings';
import { rotateSecret } from '#platform/installation/rotation';
import { buildEvent, COMMON_FIELDS } from '#testing/builders';
import { addMember, buildGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { buildSeries, seriesBody } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

const VERSIONED_ETAG = /^"(\d+)\.([\w-]{22})"$/;
const article = () => ({ title: 'Výlet', categories: ['mista'], body: '<p>Text</p>', status: 'published' });
const plan = (title: string) => ({ title, stops: [{ title: 'Stromovka' }] });

describe('the version of a resource', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());

  function readTag(answer: Answer): { tag: string; version: string; digest: string } {
    const tag = answer.headers.get('etag') ?? '';
    expect(tag).toMatch(VERSIONED_ETAG);
    const [, version = '', digest = ''] = VERSIONED_ETAG.exec(tag) ?? [];
    return { tag, version, digest };
  }
  const etagOf = async (path: string) => readTag(await jana.api.get(path));
  const version = async (path: string) => (await etagOf(path)).version;

  // EVT-71, RETRY-18, RETRY-19, RETRY-21
  it.each<[string, string, () => Promise<[method: 'PATCH' | 'PUT', path: string]>, Record<string, unknown>]>([
    [
      'an event',
      'UpdateEvent',
      async () => [
        'PATCH',
        `/events/${(await buildEvent(server, jana, { latitude: 50, longitude: 14, max_participants: 6 })).id}`,
      ],
      // seeking_company is changed first, because a private event (is_public: false) cannot seek company.
      {
        seeking_company: true,
        ...COMMON_FIELDS,
        ends_at: inDays(20),
        starts_at: inDays(19),
        status: 'cancelled',
      },
    ],
    [
      'a series',
      'UpdateSeries',
      async () => [
        'PATCH',
        `/series/${(await buildSeries(server, jana, { occurrencesLimit: 2, latitude: 50, longitude: 14 })).id}`,
      ],
      COMMON_FIELDS,
    ],
    [
      'a group',
      'UpdateGroup',
      async () => ['PATCH', `/groups/${(await buildGroup(server, jana, { latitude: 50, longitude: 14 })).id}`],
      {
        name: 'Jiný název',
        description: 'Jiný popis',
        is_public: false,
        location_name: 'Letná',
        latitude: 50.1,
        longitude: 14.4,
      },
    ],
    [
      'a post',
      'UpdatePost',
      async () => ['PATCH', `/posts/${(await jana.api.post('/posts', article())).body.data.slug}`],
      {
        title: 'Jiný název',
        categories: ['kolo'],
        event_id: async () => (await buildEvent(server, jana)).id,
        location: 'Letná',
        excerpt: 'Jiný úryvek',
        body: '<p>Jiný text</p>',
        status: 'draft',
      },
    ],
    [
      'an itinerary',
      'PutItinerary',
      async () => {
        const path = `/events/${(await buildEvent(server, jana)).id}/itinerary`;
        await jana.api.put(path, plan('Plán'));
        return ['PUT', path];
      },
      {
        title: 'Jiný název',
        description: 'Jiný popis',
        is_public: true,
        stops: [{ title: 'Letná' }],
      },
    ],
  ])('changes when the owner changes any field of %s', async (_kind, schema, prepare, values) => {
    const [method, path] = await prepare();
    const { components } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
      components: { schemas: Record<string, { properties: Record<string, object> }> };
    };
    const fields = Object.entries(components.schemas[schema]?.properties ?? {});
    // The schema of a field that is forbidden in requests has the entry "not".
    const writable = fields.filter(([, field]) => !('not' in field)).map(([name]) => name);
    expect(Object.keys(values).sort()).toEqual(writable.sort());
    const sendsWholeObject = method === 'PUT';
    // For a field, the other fields that a request with this field must also contain.
    const requiredWith: Record<string, object> = {
      join_mode: { join_password: 'heslo' },
      latitude: { longitude: 14 },
      longitude: { latitude: 50.1 },
      ...(schema === 'UpdateEvent' && { is_public: { seeking_company: false } }),
    };
    let sent: Record<string, unknown> = sendsWholeObject ? plan('Plán') : {};
    let before = await etagOf(path);
    for (const [field, value] of Object.entries(values)) {
      const content: unknown = typeof value === 'function' ? await value() : value;
      // PATCH sends one field, PUT the whole object.
      sent = { ...(sendsWholeObject ? sent : {}), ...requiredWith[field], [field]: content };
      const answer = await jana.api.send(method, path, { json: sent });
      expect([field, answer.status, answer.body.errors]).toEqual([field, 200, undefined]);
      const after = await etagOf(path);
      expect([field, after.version]).not.toEqual([field, before.version]);
      const stale = await jana.api.send(method, path, { json: sent, headers: { 'if-match': before.tag } });
      expect([field, stale.status]).toEqual([field, 412]);
      before = after;
    }
  });

  // EVT-71
  it.each(['request', 'erasure'] as const)(
    'changes, together with updated_at, for an event whose group is deleted and a post whose event is deleted, by a request or by the erasure of an account (here: %s)',
    async (cause) => {
      const owner = await server.person('vlastník');
      const group = await buildGroup(server, owner, { with: [[jana, 'member']] });
      const event = await buildEvent(server, jana, { group: group.id });
      const removed = await buildEvent(server, cause === 'request' ? jana : owner, { with: [[petr, 'confirmed']] });
      const { slug } = (await petr.api.post('/posts', { ...article(), event_id: removed.id })).body.data;
      expect((await petr.api.delete(`/events/${removed.id}/join`)).status).toBe(204);
      // The erasure of an account deletes only groups without other members.
      if (cause === 'erasure') expect((await jana.api.delete(`/groups/${group.id}/join`)).status).toBe(204);
      const stateOf = async (person: Person, path: string): Promise<[Answer, string]> => {
        const answer = await person.api.get(path);
        return [answer, readTag(answer).version];
      };
      const paths = [
        [jana, `/events/${event.id}`, 'group'],
        [petr, `/posts/${slug}`, 'event'],
      ] as const;
      const before = await Promise.all(paths.map(([person, path]) => stateOf(person, path)));
      server.clock.forward(2_000);
      if (cause === 'request') {
        expect((await owner.api.delete(`/groups/${group.id}`)).status).toBe(204);
        expect((await jana.api.delete(`/events/${removed.id}`)).status).toBe(204);
      } else await server.app.get(OwnDataCommands).erase(owner.slug);
      for (const [n, [person, path, field]] of paths.entries()) {
        const [{ body }, version] = await stateOf(person, path);
        const [{ body: former }, formerVersion] = before[n]!;
        expect([former.data[field] === null, body.data[field]]).toEqual([false, null]);
        expect(version).not.toBe(formerVersion);
        expect(Date.parse(body.data.updated_at as string)).toBeGreaterThan(
          Date.parse(former.data.updated_at as string),
        );
      }
    },
  );

  // RETRY-18, RETRY-19
  it('changes when a picture changes or an event is cancelled; a response that contains a post or a group has its new ETag', async () => {
    const image = new Blob([new Uint8Array(await picture('png', { width: 40, height: 30 }))], { type: 'image/png' });
    const { id } = await buildEvent(server, jana);
    const event = `/events/${id}`;
    let before = await version(event);
    async function expectNewVersion(path: string): Promise<void> {
      const current = await version(path);
      expect(current).not.toBe(before);
      before = current;
    }
    const images = (
      await jana.api.upload(`${event}/images`, [
        ['images[]', image, 'a.png'],
        ['images[]', image, 'b.png'],
      ])
    ).body.data;
    await expectNewVersion(event);
    await jana.api.post(`${event}/images/${images[1].id}/primary`);
    await expectNewVersion(event);
    const withNewPrimary = await etagOf(event);
    server.clock.forward(5_000);
    await jana.api.post(`${event}/images/${images[1].id}/primary`);
    expect(await etagOf(event)).toEqual(withNewPrimary);
    await jana.api.delete(`${event}/images/${images[0].id}`);
    await expectNewVersion(event);
    await jana.api.patch(event, { status: 'cancelled' });
    await expectNewVersion(event);

    const created = await jana.api.post('/posts', article());
    const post = `/posts/${created.body.data.slug}`;
    expect(readTag(created)).toEqual(await etagOf(post));
    before = await version(post);
    const coverUpload = await jana.api.upload(`${post}/cover`, [['cover', image, 'a.png']]);
    await expectNewVersion(post);
    expect(readTag(coverUpload)).toEqual(await etagOf(post));
    await jana.api.delete(`${post}/cover`);
    await expectNewVersion(post);

    const { id: group } = await buildGroup(server, petr);
    const groupTag = async () => readTag(await petr.api.get(`/groups/${group}`));
    for (const which of ['avatar', 'cover']) {
      const initial = await groupTag();
      expect(readTag(await petr.api.upload(`/groups/${group}/${which}`, [[which, image, 'a.png']]))).toEqual(
        await groupTag(),
      );
      const uploaded = await groupTag();
      await petr.api.delete(`/groups/${group}/${which}`);
      expect(new Set([initial.version, uploaded.version, (await groupTag()).version]).size).toBe(3);
    }
  });

  // RETRY-18
  it('is visible only to the owner, and is not shown in Discover', async () => {
    const group = await buildGroup(server, petr, { with: [[jana, 'member']] });
    const { slug } = (await petr.api.post('/posts', article())).body.data;
    const { id } = await buildEvent(server, petr);
    await petr.api.put(`/events/${id}/itinerary`, plan('Plán'));
    for (const path of [`/groups/${group.id}`, `/posts/${slug}`, `/events/${id}/itinerary`, `/discover/events/${id}`]) {
      expect((await jana.api.get(path)).headers.get('etag')).not.toMatch(VERSIONED_ETAG);
    }
    expect((await petr.api.get(`/discover/events/${id}`)).headers.get('etag')).not.toMatch(VERSIONED_ETAG);
    expect((await jana.api.post(`/groups/${(await buildGroup(server, petr)).id}/join`)).headers.get('etag')).toBeNull();
  });

  // RETRY-19, RETRY-22
  it('does not change when people join or comment, when the owner approves or checks in a person or adds an itinerary, or when an operator boosts the event', async () => {
    const { id, eventId } = await buildEvent(server, jana, { join_mode: 'request' });
    const path = `/events/${id}`;
    const before = await etagOf(path);
    const people = await Promise.all(Array.from({ length: 6 }, (_, i) => server.person(`guest${i}`)));
    for (const { api } of people.slice(0, 2)) await api.post(`${path}/join`, {});
    await jana.api.post(`${path}/participants/${people[0]?.slug ?? ''}/promote`);
    await jana.api.put(`${path}/participants/${people[0]?.slug ?? ''}/check-in`);
    await people[0]?.api.post(`${path}/comments`, { body: 'Ahoj' });
    await jana.api.put(`${path}/itinerary`, plan('Plán'));
    await server.database.transaction(async (tx) => {
      const event = await tx.manager.findOneByOrFail(Event, { id: eventId });
      await server.app
        .get(EventsCommands)
        .change(
          tx,
          event,
          {},
          { ticketPriceCredits: 0, boostedUntil: new Date(server.clock.now().getTime() + 3_600_000) },
        );
    });
    const after = await etagOf(path);
    expect([after.version, after.digest === before.digest]).toEqual([before.version, false]);
    const [edit, ...joins] = await Promise.all([
      jana.api.send('PATCH', path, { json: { title: 'Uprostřed' }, headers: { 'if-match': before.tag } }),
      ...people.slice(2).map(({ api }) => api.post(`${path}/join`, {})),
    ]);
    expect([edit.status, ...joins.map(({ status }) => status)]).toEqual([200, 200, 200, 200, 200]);

    const group = await buildGroup(server, petr);
    const groupBefore = readTag(await petr.api.get(`/groups/${group.id}`));
    await addMember(server, group, jana, 'member');
    const groupAfter = readTag(await petr.api.get(`/groups/${group.id}`));
    expect([groupAfter.version, groupAfter.digest === groupBefore.digest]).toEqual([groupBefore.version, false]);
  });

  // RETRY-20
  it('changes for a series and all its upcoming occurrences when the series is changed or cancelled; a change of one occurrence changes only the version of this occurrence', async () => {
    const { id } = (
      await petr.api.post(
        '/series',
        seriesBody({ occurrences_limit: 3, join_mode: 'password', join_password: 'heslo' }),
      )
    ).body.data;
    const tagOf = async (path: string) => readTag(await petr.api.get(path));
    const [first, second] = (await petr.api.get(`/series/${id}/events`)).body.data as { id: string }[];
    const paths = [`/series/${id}`, `/events/${first?.id ?? ''}`, `/events/${second?.id ?? ''}`] as const;
    const all = async () => Promise.all(paths.map(async (path) => (await tagOf(path)).version));

    const initial = await all();
    await petr.api.patch(paths[0], { join_password: 'heslo' });
    expect(await all()).toEqual(initial);
    const changed = await petr.api.patch(paths[0], { join_password: 'jiné' });
    expect(changed.headers.get('etag')).toBe((await tagOf(paths[0])).tag);
    const after = await all();
    for (const [i, one] of after.entries()) expect(one).not.toBe(initial[i]);
    const stale = await petr.api.send('PATCH', paths[1], {
      json: { title: 'Po staru' },
      headers: { 'if-match': `"${initial[1] ?? ''}"` },
    });
    expect(stale.status).toBe(412);
    await petr.api.patch(paths[1], { title: 'Jen tenhle' });
    const edited = await all();
    expect([edited[0], edited[1] === after[1], edited[2]]).toEqual([after[0], false, after[2]]);
    expect((await server.job('series-extend')).occurrences_created).toBe(0);
    const ended = await petr.api.post(`/series/${id}/cancel`);
    expect(ended.headers.get('etag')).toBe((await tagOf(paths[0])).tag);
    for (const [i, one] of (await all()).entries()) expect(one).not.toBe(edited[i]);
  });

  // RETRY-23
  it('is new when a deleted itinerary is created again', async () => {
    const { id } = await buildEvent(server, jana);
    const path = `/events/${id}/itinerary`;
    const put = (match: string) => jana.api.send('PUT', path, { json: plan('Plán'), headers: { 'if-match': match } });
    for (const match of ['"1"', '"1.abc"', '*', 'nonsense']) expect((await put(match)).status).toBe(412);
    expect((await jana.api.send('DELETE', path, { headers: { 'if-match': '*' } })).status).toBe(404);
    const first = await jana.api.put(path, plan('Plán'));
    expect([first.status, readTag(first)]).toEqual([201, await etagOf(path)]);
    await jana.api.delete(path);
    const recreated = await jana.api.put(path, plan('Plán'));
    expect(readTag(recreated).version).not.toBe(readTag(first).version);
    expect((await put(readTag(first).tag)).status).toBe(412);
  });

  // RETRY-22
  it('is compared with If-Match before the state of the resource is checked', async () => {
    const { id } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const path = `/events/${id}`;
    await jana.api.patch(path, { status: 'cancelled' });
    const { tag } = await etagOf(path);
    for (const [match, status] of [
      ['"0x"', 412],
      [tag, 409],
    ] as const) {
      expect(
        (await jana.api.send('PATCH', path, { json: { status: 'active' }, headers: { 'if-match': match } })).status,
      ).toBe(status);
      expect((await jana.api.send('DELETE', path, { headers: { 'if-match': match } })).status).toBe(status);
    }
  });

  // RETRY-24
  it('is not compared by routes that do not support If-Match', async () => {
    const { id } = await buildEvent(server, jana);
    const headers = { 'if-match': '"nope"' };
    expect((await petr.api.send('POST', `/events/${id}/join`, { json: {}, headers })).status).toBe(200);
    expect((await petr.api.send('DELETE', `/events/${id}/join`, { headers })).status).toBe(204);
    expect((await jana.api.send('GET', `/events/${id}`, { headers })).status).toBe(200);
  });

  // RETRY-19
  it('does not change when APP_SECRET is rotated', async () => {
    const { id } = await buildEvent(server, jana, { join_mode: 'password', join_password: 'heslo' });
    const before = await server.sql('SELECT id, version, join_password_sealed FROM events ORDER BY id');
    const { databaseUrl } = server.app.get(Settings);
    expect(
      (
        await rotateSecret(
          databaseUrl as string,
          'secret of the tests, and of nothing else',
          'another secret of the tests, long enough',
        )
      ).resealed,
    ).toBeGreaterThan(0);
    const after = await server.sql<{ version: string; join_password_sealed: string | null }>(
      'SELECT id, version, join_password_sealed FROM events ORDER BY id',
    );
    expect(after.map(({ version: one }) => one)).toEqual(before.map((row) => (row as { version: string }).version));
    expect(after).not.toEqual(before);
    expect(id).toBeTruthy();
  });
});
