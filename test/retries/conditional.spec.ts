import { opaqueTags } from '#platform/http/etags';
import { buildEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

describe('conditional GET requests', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  let event: string;
  let paths: string[];

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
    const { id } = await buildEvent(server, jana);
    event = id;
    const group = (await jana.api.post('/groups', { name: 'Parta' })).body.data.id as string;
    const post = (
      await jana.api.post('/posts', { title: 'Výlet', categories: ['mista'], body: '<p>Text</p>', status: 'published' })
    ).body.data.slug as string;
    paths = [
      '/user',
      '/events',
      `/events/${id}`,
      `/discover/events`,
      `/events/${id}/participants`,
      `/events/${id}/comments`,
      `/events/${id}/expenses`,
      `/groups`,
      `/groups/${group}`,
      `/groups/${group}/members`,
      '/posts',
      `/posts/${post}`,
      '/puls?lat=50&lng=14',
      '/puls/mine',
      '/series',
    ];
  });
  afterAll(() => server.stop());

  const conditional = (path: string, tag: string, method = 'GET'): Promise<Answer> =>
    jana.api.send(method, path, { headers: { 'if-none-match': tag } });

  // RETRY-14, RETRY-15
  it('get 304 without a body if If-None-Match contains the ETag of the response, and the whole response otherwise', async () => {
    for (const path of paths) {
      const first = await jana.api.get(path);
      const tag = first.headers.get('etag') ?? '';
      expect([path, first.status, tag]).toEqual([path, 200, expect.stringMatching(/^"[\w.-]+"$/)]);
      for (const matching of [tag, `W/${tag}`, `"a,b", ${tag}`, `${tag} , W/"x"`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await conditional(path, matching, method);
          expect([path, matching, method, answer.status, answer.text, answer.headers.get('etag')]).toEqual([
            path,
            matching,
            method,
            304,
            '',
            tag,
          ]);
          for (const header of ['cache-control', 'vary'])
            expect(answer.headers.get(header)).toBe(first.headers.get(header));
          expect(answer.headers.get('x-ratelimit-remaining')).toEqual(expect.any(String));
        }
      }
      for (const other of ['"other"', tag.slice(1, -1), `"${tag.slice(1, -1)}x"`, '""', 'nonsense', `"other" ${tag}`]) {
        expect((await conditional(path, other)).text).toBe(first.text);
      }
      expect((await jana.api.send('HEAD', path)).headers.get('etag')).toBe(tag);
    }
  });

  // RETRY-15, DOC-3
  it('get 304 for an unchanged file, without Content-Disposition and Content-Type', async () => {
    for (const file of ['expenses.csv', 'participants.csv']) {
      const path = `/events/${event}/${file}`;
      expect((await jana.api.get(path)).headers.get('content-disposition')).toMatch(/^attachment/);
      const { status, headers } = await conditional(path, '*');
      expect([file, status, headers.get('content-disposition'), headers.get('content-type')]).toEqual([
        file,
        304,
        null,
        null,
      ]);
    }
  });

  // RETRY-14
  it('get 200 if somebody has joined an event or an event has ended since the response with the ETag, and for /limits even if nothing has changed', async () => {
    const soon = await buildEvent(server, jana, {
      starts_at: new Date(server.clock.now().getTime() + 60_000),
      ends_at: new Date(server.clock.now().getTime() + 120_000),
    });
    const before = (await petr.api.get('/discover/events')).headers.get('etag') ?? '';
    expect((await petr.api.post(`/events/${soon.id}/join`, {})).status).toBe(200);
    const after = await petr.api.send('GET', '/discover/events', { headers: { 'if-none-match': before } });
    expect(after.status).toBe(200);
    server.clock.forward(180_000);
    expect(
      (
        await petr.api.send('GET', '/discover/events', {
          headers: { 'if-none-match': after.headers.get('etag') ?? '' },
        })
      ).status,
    ).toBe(200);
    const limitsTag = (await jana.api.get('/limits')).headers.get('etag') ?? '';
    expect((await conditional('/limits', limitsTag)).status).toBe(200);
    expect((await conditional('/limits', '*')).status).toBe(304);
  });

  // RETRY-14
  it('get 304 for an unchanged page of changes if more pages follow, and always 200 for the last page', async () => {
    const { cursor } = (await jana.api.get('/changes')).body.meta;
    for (const name of ['Parta', 'Jiná parta']) await jana.api.post('/groups', { name });
    const [firstPage, lastPage] = [`/changes?cursor=${cursor}&limit=1`, `/changes?cursor=${cursor}`];
    const statusWhenRepeated = async (path: string) => {
      const { body, headers } = await jana.api.get(path);
      return [body.meta.has_more, (await conditional(path, headers.get('etag') ?? '')).status];
    };
    expect(await statusWhenRepeated(firstPage)).toEqual([true, 304]);
    expect(await statusWhenRepeated(lastPage)).toEqual([false, 200]);
  });

  // RETRY-16
  it('do not bypass access checks, refusals or the rate limit, and PATCH ignores If-None-Match', async () => {
    const secret = await buildEvent(server, petr, { is_public: false });
    for (const [path, status] of [
      [`/discover/events/${secret.id}`, 404],
      ['/events?per_page=0', 422],
      ['/nowhere', 404],
    ] as const) {
      const answer = await conditional(path, '*');
      expect([path, answer.status, answer.headers.get('etag')]).toEqual([path, status, null]);
    }
    expect((await server.nobody.send('GET', '/user', { headers: { 'if-none-match': '*' } })).status).toBe(401);
    expect(
      (
        await jana.api.send('PATCH', `/events/${event}`, {
          json: { title: 'Jinak' },
          headers: { 'if-none-match': '*' },
        })
      ).status,
    ).toBe(200);
    const [remainingBefore, remainingAfter] = [await jana.api.get('/user'), await conditional('/user', '*')].map(
      (answer) => Number(answer.headers.get('x-ratelimit-remaining')),
    );
    expect(remainingAfter).toBe((remainingBefore ?? 0) - 1);
  });

  // RETRY-17
  it('can be sent by scripts of other origins: CORS allows and exposes the headers', async () => {
    const preflight = await server.nobody.send('OPTIONS', '/posts', {
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    });
    for (const header of ['Idempotency-Key', 'If-Match', 'If-None-Match'])
      expect(preflight.headers.get('access-control-allow-headers')).toContain(header);
    for (const header of ['ETag', 'Location', 'Idempotency-Replayed'])
      expect((await jana.api.get('/user')).headers.get('access-control-expose-headers')).toContain(header);
  });

  it('may have * or a list of tags in If-None-Match, and other values are invalid', () => {
    expect(opaqueTags(' "a" ,W/"b,c", "" ')).toEqual(['a', 'b,c', '']);
    expect([opaqueTags('*'), opaqueTags('a'), opaqueTags('"a" "b"'), opaqueTags(','), opaqueTags('"a')]).toEqual([
      '*',
      null,
      null,
      null,
      null,
    ]);
  });
});
