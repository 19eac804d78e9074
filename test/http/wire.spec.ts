import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildEvent, eventBody } from '#testing/builders';
import type { Person } from '#testing/people';
import { RawConnection } from '#testing/raw-http';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

/** Tests the rules of docs/rules/conventions.md. */
describe('the HTTP server', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
  });
  afterAll(() => server.stop());

  // WIRE-31
  it('adds a request id to each response: a valid id that the client has sent, otherwise a new id', async () => {
    const id = async (clientId?: string) =>
      (
        await jana.api.send('GET', '/user', { headers: clientId === undefined ? {} : { 'x-request-id': clientId } })
      ).headers.get('x-request-id');
    expect(await id('Req-1_2.3')).toBe('Req-1_2.3');
    expect(await id('Z'.repeat(128))).toBe('Z'.repeat(128));
    for (const bad of ['a'.repeat(129), 'with space', 'semi;colon', '<script>'])
      expect(await id(bad)).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id()).not.toBe(await id());
  });

  // WIRE-28
  it('answers HEAD with the status and the content type of GET, but without a body', async () => {
    for (const path of ['/user', '/events', '/discover/events', '/nowhere', '/events?per_page=0']) {
      const [get, head] = [await jana.api.get(path), await jana.api.send('HEAD', path)];
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
  });

  // WIRE-29
  it('allows CORS from any origin: a preflight needs no token, and credentials are not allowed', async () => {
    const answer = await server.nobody.send('OPTIONS', '/events/x', {
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
    const exposed = (await jana.api.get('/user')).headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Location', 'ETag', 'Retry-After', 'Content-Disposition']),
    );
  });

  // WIRE-29
  it('refuses CORS preflights for the web pages of the service', async () => {
    for (const path of ['~/sign-in', '~/account/apps', '~/oauth/authorize', '~/device']) {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
      const { status, headers: answered } = await server.nobody.send('OPTIONS', path, { headers });
      expect([path, status, answered.get('access-control-allow-origin')]).toEqual([path, 404, null]);
    }
  });

  // WIRE-29
  it('sends no CORS headers for unknown paths outside the API, even if the path cannot be decoded or is too long', async () => {
    for (const path of ['~/nowhere', '~/%', '~/events/%', `~/people/${'a'.repeat(200)}`]) {
      const { status, headers } = await server.nobody.get(path);
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 404, null]);
    }
    expect((await server.nobody.get('/%')).headers.get('access-control-allow-origin')).toBe('*');
  });

  // WIRE-32
  it('selects the language of messages by Accept-Language, then by the locale of the account', async () => {
    const message = async (person: Person | null, language?: string) =>
      (
        await (person?.api ?? server.nobody).send('GET', '/nowhere', {
          headers: language ? { 'accept-language': language } : { 'accept-language': '' },
        })
      ).body.message;
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
    ['incomplete', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['text', '"x"'],
    ['nested too deeply', deep],
    ['an object with __proto__', '{"__proto__":{"a":1}}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['two documents', '{}{}'],
    ['an object with the value NaN', '{"a":NaN}'],
  ])('refuses JSON that is %s, with 422 and an error on the field `body`', async (_, body) => {
    const answer = await jana.api.send('POST', '/events', { body, headers: { 'content-type': 'application/json' } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['body']]);
  });

  // WIRE-39
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'rubbish'])(
    'refuses a body with the content type %s, with 422 on body',
    async (type) => {
      const answer = await jana.api.send('POST', '/events', {
        body: JSON.stringify(eventBody()),
        headers: { 'content-type': type },
      });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['body']]);
    },
  );

  // WIRE-39
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'rubbish', 'application/json'])(
    'accepts the content type %s on a request without a body',
    async (type) => {
      const petr = await server.person('petr');
      const { id } = await buildEvent(server, jana);
      const headers = { 'content-type': type };
      const joined = await petr.api.send('POST', `/events/${id}/join`, { body: '', headers });
      const left = await petr.api.send('DELETE', `/events/${id}/join`, { headers });
      expect([joined.status, left.status]).toEqual([200, 204]);
    },
  );

  // WIRE-40
  it('refuses a multipart form on a route that accepts no file, with 422 on body', async () => {
    const { status, body } = await jana.api.upload('/events', [
      ['title', 'Piknik'],
      ['starts_at', soon()],
    ]);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'validation_failed', ['body']]);
  });

  // WIRE-15
  it('refuses a number that is too large for JavaScript, with 422 on its field', async () => {
    const body = `{"title":"abc","starts_at":"${soon()}","price_czk":1e400}`;
    const answer = await jana.api.send('POST', '/events', { body, headers: { 'content-type': 'application/json' } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['price_czk']]);
  });

  // WIRE-15
  it('treats a number close to zero as zero', async () => {
    const answer = await jana.api.post('/groups', { name: 'Rovník', latitude: 5e-324, longitude: -5e-324 });
    expect([answer.status, answer.body.data.latitude, answer.body.data.longitude]).toEqual([201, 0, 0]);
  });

  // WIRE-42, LIM-6
  it('refuses a body above the maximum size with 413', async () => {
    const answer = await jana.api.send('POST', '/events', {
      body: JSON.stringify({ title: 'a'.repeat(1_100_000) }),
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });

  // WIRE-42
  it('sends the response 413 even to clients that first send the whole body and then read the response, as proxies do', async () => {
    const body = Buffer.alloc(30_000_000, 'a');
    const socket = connect({ port: Number(new URL(server.origin).port), host: '127.0.0.1' });
    await once(socket, 'connect');
    socket.pause();
    socket.write(
      `POST /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${jana.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.write(body, () => resolve());
    });
    let text = '';
    socket.on('data', (part) => (text += String(part)));
    socket.resume();
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  // WIRE-3
  it.each(['0', '-1', '99999999999999999999999', '1e3', '0x10', '%00', '%', '%ff', 'x'.repeat(3000), '..%2f..%2fetc'])(
    'answers 404 for the event id %s',
    async (id) => {
      const answer = await jana.api.get(`/discover/events/${id}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
      expect(answer.headers.get('x-ratelimit-limit')).toEqual(expect.any(String));
    },
  );

  // WIRE-45
  it.each(['/health/live', '/openapi.json', '/media/nothing.jpg', '/nowhere'])(
    'answers requests for %s without requiring a token, and without a rate limit',
    async (path) => {
      const answer = await fetch(`${server.origin}${path}`);
      expect(answer.status).toBe(path.startsWith('/health') || path.startsWith('/openapi') ? 200 : 404);
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    },
  );

  // WIRE-38
  it('requires a token even for a URL that cannot be decoded', async () => {
    expect((await server.nobody.get('/events/%')).status).toBe(401);
  });

  // WIRE-26
  it('encodes, in the links to other pages of a list, only the characters that a URI does not allow', async () => {
    const queryOfFirstLink = async (query: string): Promise<string> => {
      const connection = await RawConnection.to(server.origin);
      await connection.send(
        `GET /api/v1/blocks?${query} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${jana.token}\r\n\r\n`,
      );
      const { body } = await connection.answer();
      connection.end();
      return (body as { links: { first: string } }).links.first.replace(/^[^?]*\?|page=1$/g, '');
    };
    const validQuery = "a=%5b%C5%99&b=-._~!$'()*+,;:@/?&c&&page=1&E=1";
    expect(await queryOfFirstLink(validQuery)).toBe(`${validQuery.replace('&&page=1', '')}&`);
    expect(await queryOfFirstLink('page[]=1&a=x|y&b={z}&c="q"&d=<e>&f=\\^`')).toBe(
      'page%5B%5D=1&a=x%7Cy&b=%7Bz%7D&c=%22q%22&d=%3Ce%3E&f=%5C%5E%60&',
    );
    expect(await queryOfFirstLink('a=%&b=100%zz&c=%4&d=x#y&E=1')).toBe('a=%25&b=100%25zz&c=%254&d=x%23y&E=1&');
  });

  // WIRE-43
  it.each([
    ['an unknown Expect header', 'host: x\r\nexpect: a-miracle\r\n'],
    ['no Host header', ''],
  ])('applies the usual checks and the usual error format to a request with %s', async (_, headers) => {
    const body = JSON.stringify(eventBody({ title: 'a' }));
    const connection = await RawConnection.to(server.origin);
    await connection.send(
      `POST /api/v1/events HTTP/1.1\r\n${headers}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    expect(await connection.answer()).toEqual({
      status: 401,
      body: { message: 'A valid access token is required.', code: 'unauthenticated' },
    });
    connection.end();
  });

  // WIRE-54, WIRE-26, WIRE-38
  it('uses only the path and the query if the request line contains an absolute URL', async () => {
    const answer = async (address: string, header = '') => {
      const connection = await RawConnection.to(server.origin);
      await connection.send(`GET ${address} HTTP/1.1\r\nhost: x\r\n${header}\r\n`);
      const result = await connection.answer();
      connection.end();
      return result as { status: number; body: { links: { first: string } } };
    };
    const authorization = `authorization: Bearer ${jana.token}\r\n`;
    const { body } = await answer('HTTP://proxied.example:80/api/v1/blocks?a=/', authorization);
    expect(body.links.first).toMatch(/^http:\/\/127\.0\.0\.1:3000\/api\/v1\/blocks\?a=\/&page=1$/);
    expect((await answer('https://proxied.example/health/live')).status).toBe(200);
    for (const path of ['nowhere', 'events/%']) {
      expect((await answer(`http://proxied.example/api/v1/${path}`)).status).toBe(401);
      expect((await answer(`http://proxied.example/api/v1/${path}`, authorization)).status).toBe(404);
    }
  });

  // WIRE-43
  it('answers invalid HTTP with the usual error format', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.origin).port), '127.0.0.1', () => socket.write('GARBAGE\r\n\r\n'));
      let all = '';
      socket
        .on('data', (part) => (all += String(part)))
        .on('end', () => resolve(all))
        .on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 .*\r\n(.+\r\n)*x-request-id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
      message: 'This is not an HTTP request.',
      code: 'bad_request',
    });
    expect(text).not.toMatch(/^x-ratelimit/im);
  });

  // WIRE-29, WIRE-50, DOC-6
  it.each([
    ['BREW /api/v1/user', '*'],
    ['BREW /%61pi/v1/user?a=1', '*'],
    ['BREW /nope', null],
    ['BREW /api/v10', null],
    ['CONNECT example.org:443', null],
  ])(
    'answers the unsupported method in %j with a link to the help page, and with CORS headers only in the API',
    async (line, origin) => {
      const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
      socket.write(`${line} HTTP/1.1\r\nhost: x\r\naccept: text/html\r\n\r\n`);
      const [head = ''] = (await text(socket)).split('\r\n\r\n');
      const [status, ...fields] = head.split('\r\n');
      const headers = new Headers(fields.map((field) => field.split(': ', 2) as [string, string]));
      expect([status, headers.get('link'), headers.get('access-control-allow-origin')]).toEqual([
        'HTTP/1.1 405 Method Not Allowed',
        '<http://127.0.0.1:3000/docs/errors/method_not_allowed>; rel="help"',
        origin,
      ]);
      expect(headers.has('access-control-expose-headers')).toBe(origin !== null);
    },
  );

  // WIRE-43, WIRE-50
  it('answers invalid and incomplete requests, CONNECT, and unknown methods with an error, and then closes the connection', async () => {
    const sockets = new Map<number | undefined, Socket>();
    server.app.getHttpServer().on('connection', (socket: Socket) => sockets.set(socket.remotePort, socket));
    const port = Number(new URL(server.origin).port);
    const answerTo = async (sent: string): Promise<readonly [status: string, code: string]> => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      let text = '';
      socket.on('data', (part) => (text += String(part))).on('error', () => undefined);
      await once(socket, 'connect');
      const localPort = socket.localPort;
      if (sent !== '') socket.write(sent);
      await once(socket, 'end');
      const serverSocket = sockets.get(localPort) as Socket;
      // This client never closes its side of the connection, so the server has to close the connection.
      if (!serverSocket.destroyed) await once(serverSocket, 'close');
      socket.destroy();
      const body = JSON.parse(text.slice(text.indexOf('{'))) as { code: string };
      expect(body).toEqual({ message: expect.any(String), code: body.code });
      return [text.slice(0, 12), body.code];
    };
    const long = `GET /api/v1/user HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(40_000)}\r\n\r\n`;
    const sent = [
      'GARBAGE\r\n\r\n',
      long,
      'GET /api/v1/user HTTP/1.1\r\nhost: x\r\n',
      '',
      'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n',
      'FETCH /api/v1/user HTTP/1.1\r\nhost: example.org\r\n\r\n',
    ];
    // The requests are sent in parallel, because the server answers two of them only after five seconds.
    expect(await Promise.all(sent.map(answerTo))).toEqual([
      ['HTTP/1.1 400', 'bad_request'],
      ['HTTP/1.1 431', 'headers_too_large'],
      ['HTTP/1.1 408', 'request_timeout'],
      ['HTTP/1.1 408', 'request_timeout'],
      ['HTTP/1.1 405', 'method_not_allowed'],
      ['HTTP/1.1 405', 'method_not_allowed'],
    ]);
  }, 30_000);

  // WIRE-30
  it('sends Cache-Control, Vary and Content-Language with each response, and with 401 also WWW-Authenticate', async () => {
    const jana = await server.person('jana', { locale: 'cs' });
    const headersOf = async (path: string, more: Record<string, string> = {}) => {
      const { headers } = await jana.api.send('GET', path, { headers: more });
      return ['cache-control', 'vary', 'content-language', 'www-authenticate'].map((name) => headers.get(name));
    };
    const vary = 'Authorization, Accept-Language';
    expect(await headersOf('/events')).toEqual(['private, no-cache', vary, 'cs', null]);
    expect(await headersOf('/events', { 'accept-language': 'en' })).toEqual(['private, no-cache', vary, 'en', null]);
    for (const path of [`/events/${'x'.repeat(200)}`, '/events/%'])
      expect([path, (await headersOf(path))[2], (await headersOf(path, { 'accept-language': 'en' }))[2]]).toEqual([
        path,
        'cs',
        'en',
      ]);
    for (const path of ['/user', '/events/1/expenses', '/events/1/tickets'])
      expect((await headersOf(path))[0]).toBe('no-store');
    expect(await headersOf('/nowhere')).toEqual(['private, no-cache', vary, 'cs', null]);
    expect(await headersOf('/events', { authorization: 'Bearer x', 'accept-language': 'en' })).toEqual([
      'private, no-cache',
      vary,
      'en',
      expect.stringMatching(/^Bearer resource_metadata="[^"]+", error="invalid_token"$/),
    ]);
  });

  // WIRE-38
  it.each(['/groups/discover', '/puls/mine', '/groups/%64iscover'])(
    'does not treat the last part of %s as an id',
    async (path) => {
      const jana = await server.person('jana');
      for (const method of ['DELETE', 'PATCH']) {
        const answer = await jana.api.send(method, path);
        expect([answer.status, answer.body.code, answer.headers.get('allow')?.split(', ').sort()]).toEqual([
          405,
          'method_not_allowed',
          ['GET', 'HEAD'],
        ]);
      }
    },
  );

  // WIRE-38
  it('answers 404 to every method if the id in the path is empty', async () => {
    const jana = await server.person('jana');
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      expect([method, (await jana.api.send(method, '/groups/')).body.code]).toEqual([method, 'not_found']);
  });

  // WIRE-38
  it('answers 405 for an unsupported method even if a path parameter is long', async () => {
    const jana = await server.person('jana');
    const path = `/events/${'a'.repeat(101)}`;
    const answer = await jana.api.put(path, {});
    expect([answer.status, answer.body.code, answer.headers.get('allow')?.split(', ').sort()]).toEqual([
      405,
      'method_not_allowed',
      ['DELETE', 'GET', 'HEAD', 'PATCH'],
    ]);
    for (const method of ['GET', 'DELETE', 'PATCH'])
      expect((await jana.api.send(method, path)).body.code).toBe('not_found');
  });

  it.each([
    '/media/..%2f..%2fetc%2fpasswd',
    '/docs/..%2f..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
    '/media/%',
    '/docs/%2e%2e/%2e%2e/package.json',
  ])('answers 404 for %s', async (path) => {
    expect((await server.nobody.get(`~${path}`)).status).toBe(404);
  });

  // WIRE-51
  it('shows to a client without a token only whether the server is ready', async () => {
    expect(await server.nobody.get('~/health/ready')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });
});
