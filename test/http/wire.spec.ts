import { connect } from 'node:net';
import { eventBody } from '#testing/builders';
import type { Person } from '#testing/people';
import { RawConnection } from '#testing/raw-http';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

/** docs/rules/conventions.md. */
describe('the wire', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
  });
  afterAll(() => server.stop());

  // WIRE-31
  it('names each request, by the client’s own id when that is well formed', async () => {
    const id = async (own?: string) => (await jana.api.send('GET', '/user', { headers: own === undefined ? {} : { 'x-request-id': own } })).headers.get('x-request-id');
    expect(await id('Req-1_2.3')).toBe('Req-1_2.3');
    expect(await id('Z'.repeat(128))).toBe('Z'.repeat(128));
    for (const bad of ['a'.repeat(129), 'with space', 'semi;colon', '<script>']) expect(await id(bad)).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id()).not.toBe(await id());
  });

  // WIRE-28
  it('answers HEAD wherever GET does', async () => {
    for (const path of ['/user', '/events', '/discover/events', '/nowhere', '/events?per_page=0']) {
      const [get, head] = [await jana.api.get(path), await jana.api.send('HEAD', path)];
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
  });

  // WIRE-29
  it('answers a preflight for any origin, without a token and without credentials', async () => {
    const answer = await server.nobody.send('OPTIONS', '/events/x', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
  });

  // WIRE-32
  it('speaks Czech and English: Accept-Language, else the owner’s locale, else English', async () => {
    const message = async (person: Person | null, language?: string) =>
      (await (person?.api ?? server.nobody).send('GET', '/nowhere', { headers: language ? { 'accept-language': language } : { 'accept-language': '' } })).body.message;
    const ben = await server.person('ben', { locale: 'en' });
    expect(await message(jana)).toBe('Nenalezeno.');
    expect(await message(ben)).toBe('Not found.');
    expect(await message(ben, 'cs-CZ,cs;q=0.9,en;q=0.8')).toBe('Nenalezeno.');
    expect(await message(jana, 'en-GB,en;q=0.9,cs;q=0.1')).toBe('Not found.');
    expect(await message(null)).toBe('A valid access token is required.');
  });

  const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
  // WIRE-39
  it.each([
    ['half a document', '{'], ['a list', '[]'], ['null', 'null'], ['text', '"x"'], ['too deep', deep], ['a prototype', '{"__proto__":{"a":1}}'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])], ['two documents', '{}{}'], ['NaN', '{"a":NaN}'],
  ])('refuses JSON that is %s with 422 on body', async (_, body) => {
    const answer = await jana.api.send('POST', '/events', { body, headers: { 'content-type': 'application/json' } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['body']]);
  });

  // WIRE-39
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'rubbish'])('refuses %s with 422 on body', async (type) => {
    const answer = await jana.api.send('POST', '/events', { body: JSON.stringify(eventBody()), headers: { 'content-type': type } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['body']]);
  });

  // WIRE-15
  it('refuses a number beyond all numbers on its field', async () => {
    const body = `{"title":"abc","starts_at":"${soon()}","price_czk":1e400}`;
    const answer = await jana.api.send('POST', '/events', { body, headers: { 'content-type': 'application/json' } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['price_czk']]);
  });

  // WIRE-15
  it('takes a number next to nothing for zero', async () => {
    const answer = await jana.api.post('/groups', { name: 'Rovník', latitude: 5e-324, longitude: -5e-324 });
    expect([answer.status, answer.body.data.latitude, answer.body.data.longitude]).toEqual([201, 0, 0]);
  });

  // WIRE-42, LIM-6
  it('refuses a body above the cap with 413', async () => {
    const answer = await jana.api.send('POST', '/events', { body: JSON.stringify({ title: 'a'.repeat(1_100_000) }), headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });

  // WIRE-3
  it.each(['0', '-1', '99999999999999999999999', '1e3', '0x10', '%00', '%', '%ff', 'x'.repeat(3000), '..%2f..%2fetc'])('knows no event %s', async (id) => {
    const answer = await jana.api.get(`/discover/events/${id}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect(answer.headers.get('x-ratelimit-limit')).toEqual(expect.any(String));
  });

  // WIRE-45
  it.each(['/health/live', '/openapi.json', '/media/nothing.jpg', '/nowhere'])('lets %s be asked for without a token and a window', async (path) => {
    const answer = await fetch(`${server.origin}${path}`);
    expect(answer.status).toBe(path.startsWith('/health') || path.startsWith('/openapi') ? 200 : 404);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });

  // WIRE-38
  it('wants a token for a URL that cannot be read, too', async () => {
    expect((await server.nobody.get('/events/%')).status).toBe(401);
  });

  // WIRE-43
  it.each([
    ['an expectation we do not know', 'host: x\r\nexpect: a-miracle\r\n'], ['no host', ''],
  ])('answers a request with %s like any other', async (_, headers) => {
    const body = JSON.stringify(eventBody({ title: 'a' }));
    const connection = await RawConnection.to(server.origin);
    await connection.send(`POST /api/v1/events HTTP/1.1\r\n${headers}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    expect(await connection.answer()).toEqual({ status: 401, body: { message: 'A valid access token is required.', code: 'unauthenticated' } });
    connection.end();
  });

  // WIRE-43
  it('answers broken HTTP with the envelope', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.origin).port), '127.0.0.1', () => socket.write('GARBAGE\r\n\r\n'));
      let all = '';
      socket.on('data', (part) => (all += String(part))).on('end', () => resolve(all)).on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 .*\r\n(.+\r\n)*x-request-id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({ message: expect.any(String), code: 'validation_failed', errors: { body: [expect.any(String)] } });
  });
});
