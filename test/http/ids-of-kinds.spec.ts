import { ParticipationCommands } from '#areas/participation/participation.commands';
import { PUBLIC_ID_KINDS, PublicIds, type PublicIdKind } from '#platform/http/public-ids';
import { buildEvent } from '#testing/builders';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

/**
 * A request whose path contains the id of a resource. `before` and `rest` are the parts of the path before and after
 * the id.
 */
interface RequestWithId {
  readonly kind: PublicIdKind;
  readonly id: string;
  readonly method: 'GET' | 'DELETE' | 'PUT' | 'POST';
  readonly before: string;
  readonly rest?: string;
}

// WIRE-1
describe('an id of one kind', () => {
  let server: TestServer;
  let jana: Person;
  let requests: RequestWithId[];
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
    requests = await buildRequests();
  });
  afterAll(() => server.stop());

  /** Requests to resources of several kinds, all owned by Jana, so that only a wrong id can cause a refusal. */
  async function buildRequests(): Promise<RequestWithId[]> {
    const picture = new Blob([await media.phonePhoto()]);
    const event = await buildEvent(server, jana, { photos_enabled: true });
    const group = (await jana.api.post('/groups', { name: 'Letná' })).body.data.id as string;
    const series = (await buildSeries(server, jana)).id;
    const eventPath = `/events/${event.id}`;
    const firstOf = (answer: { body: { data: { id: string }[] } }): string => answer.body.data[0]!.id;
    const image = firstOf(await jana.api.upload(`${eventPath}/images`, [['images[]', picture]]));
    const photo = firstOf(await jana.api.upload(`${eventPath}/photos`, [['photos[]', picture]]));
    const comment = (await jana.api.post(`${eventPath}/comments`, { body: 'Přijdu' })).body.data.id as string;
    const expense = (await jana.api.post(`${eventPath}/expenses`, { title: 'Víno', amount: 100 })).body.data
      .id as string;
    const petr = await server.person('petr');
    await server.database.transaction((tx) =>
      server.app
        .get(ParticipationCommands)
        .setParticipation(tx, event.eventId, petr.userId, { status: 'confirmed', checkedInAt: null }),
    );
    const payment = (await jana.api.post(`${eventPath}/expenses/payments`, { to: petr.slug, amount: 5 })).body.data
      .id as string;
    const puls = (
      await jana.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['body', 'x'],
      ])
    ).body.data.id as string;
    // Requests that read a resource come before the request that deletes the resource.
    return [
      ...['', '/participants', '/comments', '/expenses', '/photos'].map((rest) => ({
        kind: 'event' as const,
        id: event.id,
        method: 'GET' as const,
        before: '/events/',
        rest,
      })),
      ...['', '/members', '/events'].map((rest) => ({
        kind: 'group' as const,
        id: group,
        method: 'GET' as const,
        before: '/groups/',
        rest,
      })),
      ...['', '/events'].map((rest) => ({
        kind: 'series' as const,
        id: series,
        method: 'GET' as const,
        before: '/series/',
        rest,
      })),
      { kind: 'event', id: event.id, method: 'PUT', before: `/groups/${group}/events/`, rest: '/interest' },
      { kind: 'event_image', id: image, method: 'POST', before: `${eventPath}/images/`, rest: '/primary' },
      { kind: 'event_image', id: image, method: 'DELETE', before: `${eventPath}/images/` },
      { kind: 'photo', id: photo, method: 'DELETE', before: `${eventPath}/photos/` },
      { kind: 'expense', id: expense, method: 'DELETE', before: `${eventPath}/expenses/` },
      { kind: 'payment', id: payment, method: 'DELETE', before: `${eventPath}/expenses/payments/` },
      { kind: 'comment', id: comment, method: 'DELETE', before: '/comments/' },
      { kind: 'puls', id: puls, method: 'DELETE', before: '/puls/' },
      { kind: 'group', id: group, method: 'DELETE', before: '/groups/' },
    ];
  }

  it('is accepted only in paths for its kind', async () => {
    const ids = server.app.get(PublicIds);
    for (const { kind, id, method, before, rest = '' } of requests) {
      const number = ids.decode(kind, id)!;
      const statusFor = async (hashid: string) => (await jana.api.send(method, `${before}${hashid}${rest}`)).status;
      const accepted: string[] = [];
      for (const other of PUBLIC_ID_KINDS.filter((one) => one !== kind)) {
        if ((await statusFor(ids.encode(other, number))) !== 404) accepted.push(other);
      }
      expect({ path: `${method} ${before}{${kind}}${rest}`, accepted }).toEqual({
        path: `${method} ${before}{${kind}}${rest}`,
        accepted: [],
      });
      expect([`${method} ${before}{${kind}}${rest}`, (await statusFor(id)) < 300]).toEqual([
        `${method} ${before}{${kind}}${rest}`,
        true,
      ]);
    }
  });

  it('is refused in a body that needs an id of another kind', async () => {
    const ids = server.app.get(PublicIds);
    const event = await buildEvent(server, jana);
    const group = (await jana.api.post('/groups', { name: 'Karlín' })).body.data.id as string;
    const comment = (await jana.api.post(`/events/${event.id}/comments`, { body: 'Kořen' })).body.data.id as string;
    const others = (kind: PublicIdKind, id: string) =>
      PUBLIC_ID_KINDS.filter((one) => one !== kind).map((one) => ids.encode(one, ids.decode(kind, id)!));
    for (const parent of others('comment', comment)) {
      expect((await jana.api.post(`/events/${event.id}/comments`, { body: 'Odpověď', parent })).body.code).toBe(
        'parent_invalid',
      );
    }
    for (const wrongId of others('event', event.id)) {
      const { body } = await jana.api.post('/posts', {
        title: 'Zápisek',
        categories: ['mista'],
        body: 'Text',
        event_id: wrongId,
      });
      expect([body.code, Object.keys(body.errors ?? {})]).toEqual(['validation_failed', ['event_id']]);
    }
    for (const wrongId of others('group', group)) {
      const { body } = await jana.api.post('/events', { title: 'Piknik', starts_at: soon(), group: wrongId });
      expect([body.code, Object.keys(body.errors ?? {})]).toEqual(['validation_failed', ['group']]);
    }
  });
});
