import { buildEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { RawConnection } from '#testing/raw-http';
import { TestServer } from '#testing/test-server';

const KEY = 'idempotency-key';
const article = (title = 'Výlet') => ({ title, categories: ['mista'], body: '<p>Text</p>', status: 'published' });

describe('a write request with an Idempotency-Key', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());

  let number = 0;
  const newKey = () => `key-${++number}`;
  const post = (who: Person, key: string, json: Record<string, unknown> = article(), path = '/posts') =>
    who.api.send('POST', path, { json, headers: { [KEY]: key } });
  const postCount = async (who: Person): Promise<number> => (await who.api.get('/posts?per_page=1')).body.meta.total;

  function expectReplay(answer: Answer, first: Answer): void {
    expect([answer.status, answer.text, answer.headers.get('idempotency-replayed')]).toEqual([
      first.status,
      first.text,
      'true',
    ]);
    for (const header of ['content-type', 'location'])
      expect(answer.headers.get(header)).toBe(first.headers.get(header));
    expect(answer.headers.get('x-ratelimit-remaining')).toEqual(expect.any(String));
  }

  // RETRY-3
  it('runs only once, and gets the stored response when it is repeated', async () => {
    const before = await postCount(jana);
    const key = newKey();
    const first = await post(jana, key);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expectReplay(await post(jana, key), first);
    expectReplay(await post(jana, `"${key}"`), first);
    expect(await postCount(jana)).toBe(before + 1);
  });

  // RETRY-1, RETRY-2
  describe('the idempotency key', () => {
    it.each([
      ['one character', '7'],
      ['255 characters', 'x'.repeat(255)],
      ['255 characters in quotes', `"${'y'.repeat(255)}"`],
      ['special characters and spaces', "!#$%&'()* +,-./:;<=>?@[]^_`{|}~ \\"],
      ['escaped characters', '"a\\"b\\\\c"'],
    ])('may consist of %s', async (_what, key) => {
      const first = await post(petr, key);
      expect(first.status).toBe(201);
      expectReplay(await post(petr, key), first);
    });

    it('is the same with and without quotes and escapes, and is case-sensitive', async () => {
      const first = await post(petr, 'Case"x\\');
      expect(first.status).toBe(201);
      expectReplay(await post(petr, '"Case\\"x\\\\"'), first);
      expect((await post(petr, 'case"x\\')).headers.get('idempotency-replayed')).toBeNull();
    });

    it.each([
      ['empty', ''],
      ['empty in quotes', '""'],
      ['256 characters long', 'x'.repeat(256)],
      ['an unterminated string', '"abc'],
      ['a string with parameters', '"abc"; a=1'],
      ['a string with an unknown escape', '"a\\n"'],
      ['a text with a tab', 'a\tb'],
      ['a text with a character outside ASCII', 'kl\u00ed'],
    ])('is refused if it is %s', async (_what, key) => {
      const before = await postCount(petr);
      const answer = await post(petr, key);
      expect([answer.status, answer.body.errors]).toEqual([422, { 'Idempotency-Key': [expect.any(String)] }]);
      expect(await postCount(petr)).toBe(before);
    });

    it('is refused if one request contains it twice', async () => {
      const key = newKey();
      const connection = await RawConnection.to(server.origin);
      const body = JSON.stringify(article('Dvakrát'));
      await connection.send(
        `POST /api/v1/posts HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${petr.token}\r\ncontent-type: application/json\r\n` +
          `idempotency-key: ${key}\r\nidempotency-key: ${key}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
      expect(await connection.answer()).toMatchObject({
        status: 422,
        body: { errors: { 'Idempotency-Key': [expect.any(String)] } },
      });
    });

    it('is validated after the path and the method, but before the body', async () => {
      const bad = { [KEY]: 'x'.repeat(256), 'content-type': 'application/json' };
      const refusedFields = async (method: string, path: string, body = '{') =>
        Object.keys((await petr.api.send(method, path, { body, headers: bad })).body.errors ?? {});
      expect(await refusedFields('POST', '/posts')).toEqual(['Idempotency-Key']);
      expect(await refusedFields('DELETE', '/events/nowhere')).toEqual(['Idempotency-Key']);
      expect((await petr.api.send('POST', '/nowhere', { body: '{', headers: bad })).status).toBe(404);
      expect((await petr.api.send('PUT', '/posts', { body: '{', headers: bad })).status).toBe(405);
      expect((await petr.api.send('GET', '/posts', { headers: { [KEY]: 'x'.repeat(256) } })).status).toBe(200);
    });
  });

  // RETRY-3
  it('gets the stored response again, even if the response has no body', async () => {
    const { slug } = (await jana.api.post('/posts', article())).body.data;
    const key = newKey();
    const remove = () => jana.api.send('DELETE', `/posts/${slug}`, { headers: { [KEY]: key } });
    const first = await remove();
    expect([first.status, first.text]).toEqual([204, '']);
    expectReplay(await remove(), first);
  });

  // RETRY-9
  it('is refused if the same account used the key for a different request', async () => {
    const key = newKey();
    const first = await post(jana, key, article('První'));
    const slug: string = first.body.data.slug;
    const others = await Promise.all([
      post(jana, key, article('Druhý')),
      post(jana, key, { ...article('První'), unknown: 1 }),
      post(jana, key, article('První'), '/posts?x=1'),
      jana.api.send('PATCH', `/posts/${slug}`, { json: article('První'), headers: { [KEY]: key } }),
    ]);
    for (const other of others)
      expect([other.status, other.body.code, 'errors' in other.body]).toEqual([422, 'idempotency_key_reused', false]);
    const { title, ...rest } = article('První');
    expectReplay(
      await jana.api.send('POST', '/posts', {
        body: ` ${JSON.stringify({ ...rest, title }, null, 2)}`,
        headers: { [KEY]: key, 'content-type': 'application/json' },
      }),
      first,
    );
    expect((await post(petr, key, article('První'))).headers.get('idempotency-replayed')).toBeNull();
  });

  // RETRY-5
  it('can use the key of an earlier request that was refused', async () => {
    const key = newKey();
    for (const title of ['', 'a']) expect((await post(jana, key, article(title))).status).toBe(422);
    const first = await post(jana, key, article('Teď už'));
    expect(first.status).toBe(201);
    expectReplay(await post(jana, key, article('Teď už')), first);
  });

  // RETRY-4
  it('takes no second seat when it is repeated, and gets the stored response even after the event was deleted', async () => {
    const { id } = await buildEvent(server, jana);
    const key = newKey();
    const join = () => petr.api.send('POST', `/events/${id}/join`, { json: {}, headers: { [KEY]: key } });
    const first = await join();
    expect(first.body.data.viewer.participation).toBe('confirmed');
    expectReplay(await join(), first);
    expect((await petr.api.delete(`/events/${id}/join`)).status).toBe(204);
    expectReplay(await join(), first);
    expect((await jana.api.delete(`/events/${id}`)).status).toBe(204);
    expectReplay(await join(), first);
  });

  // RETRY-7
  it('runs only once when it is sent many times in parallel', async () => {
    const before = await postCount(jana);
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(jana, key)));
    const processed = answers.filter(
      (answer) => answer.status === 201 && answer.headers.get('idempotency-replayed') === null,
    );
    expect(processed).toHaveLength(1);
    for (const answer of answers) {
      if (answer === processed[0]) continue;
      if (answer.status === 409)
        expect([answer.body.code, answer.headers.get('retry-after')]).toEqual(['request_in_progress', '1']);
      else expectReplay(answer, processed[0] as Answer);
    }
    expect(await postCount(jana)).toBe(before + 1);
  });
});
