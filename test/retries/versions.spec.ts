import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';

const VERSIONED_ETAG = /^"(\d+)\.([\w-]{22})"$/;
const article = (fields: Record<string, unknown> = {}) => ({
  title: 'Výlet',
  categories: ['mista'],
  body: '<p>Text</p>',
  status: 'published',
  ...fields,
});
const plan = (title: string) => ({ title, stops: [{ title: 'Stromovka' }] });

/** A resource of the owner, and the request that changes this resource. */
interface OwnResource {
  readonly path: string;
  readonly method: 'PATCH' | 'PUT';
  /** Returns a body that sets the n-th name or title. */
  readonly body: (n: number) => Record<string, unknown>;
  /** A body that is refused with 422. */
  readonly invalid: Record<string, unknown>;
  /** The status of the response to another person who sends the request. */
  readonly strangerStatus: number;
}

describe('versions of the owner’s resources', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());

  let number = 0;
  const KINDS: Record<string, () => Promise<OwnResource>> = {
    event: async () => {
      const { id } = await buildEvent(server, jana);
      return {
        path: `/events/${id}`,
        method: 'PATCH',
        body: (n) => ({ title: `Verze ${n}` }),
        invalid: { title: 'a' },
        strangerStatus: 403,
      };
    },
    series: async () => {
      const { id } = await buildSeries(server, jana, { occurrencesLimit: 2 });
      return {
        path: `/series/${id}`,
        method: 'PATCH',
        body: (n) => ({ title: `Verze ${n}` }),
        invalid: { title: 'a' },
        strangerStatus: 404,
      };
    },
    group: async () => {
      await server.sql('DELETE FROM groups'); // A person who owns five groups cannot found another.
      const { id } = await buildGroup(server, jana);
      return {
        path: `/groups/${id}`,
        method: 'PATCH',
        body: (n) => ({ name: `Verze ${n}` }),
        invalid: { name: '' },
        strangerStatus: 403,
      };
    },
    post: async () => {
      const { slug } = (await jana.api.post('/posts', article())).body.data;
      return {
        path: `/posts/${slug}`,
        method: 'PATCH',
        body: (n) => ({ title: `Verze ${n}` }),
        invalid: { title: 'a' },
        strangerStatus: 403,
      };
    },
    itinerary: async () => {
      const { id } = await buildEvent(server, jana);
      expect((await jana.api.put(`/events/${id}/itinerary`, plan('Plán'))).status).toBe(201);
      return {
        path: `/events/${id}/itinerary`,
        method: 'PUT',
        body: (n) => plan(`Verze ${n}`),
        invalid: { title: 'a', stops: [] },
        strangerStatus: 403,
      };
    },
  };

  function readTag(answer: Answer): { tag: string; version: string; digest: string; text: string } {
    const tag = answer.headers.get('etag') ?? '';
    expect(tag).toMatch(VERSIONED_ETAG);
    const [, version = '', digest = ''] = VERSIONED_ETAG.exec(tag) ?? [];
    return { tag, version, digest, text: answer.text };
  }
  const state = async (path: string) => readTag(await jana.api.get(path));
  const send = (own: OwnResource, n: number, match?: string, json = own.body(n)) =>
    jana.api.send(own.method, own.path, { json, headers: match === undefined ? {} : { 'if-match': match } });

  function expectRefused(answer: Answer, tag: string | null): void {
    expect([answer.status, answer.body.code, 'errors' in answer.body, answer.headers.get('etag')]).toEqual([
      412,
      'precondition_failed',
      false,
      tag,
    ]);
  }

  describe.each(Object.keys(KINDS))('%s', (kind) => {
    let own: OwnResource;
    beforeEach(async () => {
      own = await (KINDS[kind] as () => Promise<OwnResource>)();
    });

    // RETRY-18, RETRY-19
    it('gets a new version with each change, and never an earlier version again', async () => {
      const first = await state(own.path);
      expect(await state(own.path)).toEqual(first);
      expect((await jana.api.send('HEAD', own.path)).headers.get('etag')).toBe(first.tag);
      const conditional = await jana.api.send('GET', own.path, { headers: { 'if-none-match': first.tag } });
      expect([conditional.status, conditional.headers.get('etag')]).toEqual([304, first.tag]);
      const versions = new Set([first.version]);
      for (const n of [1, 2, 1, 2]) {
        const changed = await send(own, n);
        expect(changed.status).toBe(200);
        const now = await state(own.path);
        expect(changed.headers.get('etag')).toBe(now.tag);
        expect(versions).not.toContain(now.version);
        versions.add(now.version);
      }
    });

    // RETRY-19
    it('keeps its version and updated_at when a request changes nothing', async () => {
      const before = readTag(await send(own, 1));
      server.clock.forward(5_000);
      const same = readTag(await send(own, 1));
      expect(same).toEqual(before);
      if (own.method === 'PATCH') expect(readTag(await send(own, 1, undefined, {}))).toEqual(before);
    });

    // RETRY-21
    it('can be changed if If-Match is * or contains the current version, with any digest or with none', async () => {
      for (const form of [
        (tag: string) => tag,
        (tag: string) => `W/${tag}`,
        (tag: string) => `"${VERSIONED_ETAG.exec(tag)?.[1] ?? ''}"`,
        () => '*',
        (tag: string) => `"nope", "0.a,b" ,${tag}`,
      ]) {
        const { tag } = await state(own.path);
        expect((await send(own, ++number, form(tag))).status).toBe(200);
      }
      const { version: current } = await state(own.path);
      expect((await send(own, ++number, `"${current}.another digest"`.replaceAll(' ', '-'))).status).toBe(200);
    });

    // RETRY-21
    it('cannot be changed with any other If-Match', async () => {
      const old = await state(own.path);
      await send(own, ++number);
      const now = await state(own.path);
      for (const match of [
        old.tag,
        `"${old.version}"`,
        `"${old.version}.${now.digest}"`,
        `"${now.version}x"`,
        '"nope"',
        '""',
        'nonsense',
        now.version,
        `"${now.version}`,
        ',',
        '',
        `* , ${now.tag}`,
      ]) {
        expectRefused(await send(own, ++number, match), now.tag);
      }
      expect(await state(own.path)).toEqual(now);
    });

    // RETRY-22
    it('is protected by checks in this order: owner and readable body, If-Match, fields of the body', async () => {
      const { tag } = await state(own.path);
      for (const match of ['"0x"', tag, '*']) {
        const headers = { 'if-match': match };
        expect((await petr.api.send(own.method, own.path, { json: own.invalid, headers })).status).toBe(
          own.strangerStatus,
        );
        const unreadable = await jana.api.send(own.method, own.path, {
          body: '{',
          headers: { ...headers, 'content-type': 'application/json' },
        });
        expect([unreadable.status, Object.keys(unreadable.body.errors)]).toEqual([422, ['body']]);
        expect((await send(own, 0, match, own.invalid)).status).toBe(match === '"0x"' ? 412 : 422);
      }
      expect((await state(own.path)).tag).toBe(tag);
    });

    // RETRY-21, RETRY-22
    if (kind !== 'series')
      it('is deleted with its current ETag but not with another ETag; after the deletion, a request with any If-Match gets 404', async () => {
        const old = await state(own.path);
        await send(own, ++number);
        const now = await state(own.path);
        const remove = (match: string) => jana.api.send('DELETE', own.path, { headers: { 'if-match': match } });
        for (const match of [old.tag, '"nope"']) expectRefused(await remove(match), now.tag);
        expect((await remove(now.tag)).status).toBe(204);
        for (const match of [now.tag, '*', '"nope"']) expect((await remove(match)).status).toBe(404);
      });

    // RETRY-22
    it('is changed only once by many concurrent requests with the same ETag', async () => {
      const { tag } = await state(own.path);
      const many = 12;
      const answers = await Promise.all(Array.from({ length: many }, (_, i) => send(own, 1000 + i, tag)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: many - 1 }, () => 412)]);
      const [success] = answers.filter(({ status }) => status === 200) as [Answer];
      const now = await state(own.path);
      expect(success.headers.get('etag')).toBe(now.tag);
      for (const answer of answers) if (answer !== success) expectRefused(answer, now.tag);
    });

    // RETRY-4, RETRY-5
    it('returns the stored response, without an ETag, to a repeated request whose If-Match is now old', async () => {
      const { tag } = await state(own.path);
      const headers = { 'idempotency-key': `versions-${kind}` };
      const retry = (match: string) =>
        jana.api.send(own.method, own.path, { json: own.body(7), headers: { ...headers, 'if-match': match } });
      expect((await retry('"nope"')).status).toBe(412);
      const first = await retry(tag);
      expect([first.status, first.headers.get('etag')]).toEqual([200, expect.stringMatching(VERSIONED_ETAG)]);
      await send(own, 8);
      const again = await retry(tag);
      expect([again.status, again.text, again.headers.get('idempotency-replayed'), again.headers.get('etag')]).toEqual([
        200,
        first.text,
        'true',
        null,
      ]);
    });
  });

  // RETRY-19: an edit without effect must not write the event's row. A write raises `revision`, and a concurrent
  // request to join that finds another `revision` must check the rules again.
  it('do not change if an edit has no effect; the row of the event is not even written', async () => {
    const { id, eventId } = await buildEvent(server, jana, { title: 'Beze změny' });
    const row = () =>
      server.sql('SELECT xmin::text AS written_by, revision, updated_at FROM all_events WHERE id = $1', [eventId]);
    const before = await row();
    server.clock.forward(5_000);
    expect((await jana.api.patch(`/events/${id}`, { title: 'Beze změny' })).status).toBe(200);
    expect(await row()).toEqual(before);
    expect((await jana.api.patch(`/events/${id}`, { title: 'Jinak' })).status).toBe(200);
    expect(await row()).not.toEqual(before);
  });
});
