import { Readable } from 'node:stream';
import {
  respondWith,
  closeConnection,
  noResponse,
  page,
  refuse,
  ScriptedServer,
  type Turn,
} from '#testing/scripted-server';
import { SdkPackage } from '#testing/sdk-package';

// DOC-9
describe('the SDK with an unreliable network', () => {
  let sdk: SdkPackage;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the installed package, without its types
  let module: any;
  let server: ScriptedServer;
  beforeAll(async () => {
    sdk = SdkPackage.install();
    module = await sdk.load();
    server = await ScriptedServer.start();
  });
  afterAll(() => {
    server.stop();
    sdk.remove();
  });
  beforeEach(() => server.forget());

  const client = (options: object = {}) =>
    new module.EventsClient({ token: 'evt_x', baseUrl: server.origin, ...options });
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => 'nothing was thrown',
      (error: unknown) => error,
    );

  it.each<[string, Turn]>([
    ['the connection is lost', closeConnection],
    ['the server answers 500', refuse(500, 'server_error')],
    ['a proxy answers 502', (response) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
    ['the server is being restarted', refuse(503, 'service_unavailable', { 'retry-after': '0' })],
    ['the first request is still in progress', refuse(409, 'request_in_progress', { 'retry-after': '0' })],
    ['the rate limit is reached', refuse(429, 'too_many_requests', { 'retry-after': '0' })],
  ])('repeats a write request with the same idempotency key when %s', async (_what, turn) => {
    server.turns = [turn, turn, respondWith({ id: 'a' })];
    expect(await client().createEvent({ title: 'Tea' })).toEqual({ id: 'a' });
    expect(server.requests).toHaveLength(3);
    expect(new Set(server.requests.map(({ key }) => key)).size).toBe(1);
    expect(server.requests[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(server.requests.map(({ body }) => body))).toEqual(new Set(['{"title":"Tea"}']));
  });

  // DOC-21
  it('requests the next page of the request log with `before=<last id of the page>`, because each of these requests is logged and would shift numbered pages', async () => {
    server.turns = [page([{ id: 'c' }, { id: 'b' }], 'http://x/?page=2'), page([{ id: 'a' }], null)];
    const ids: string[] = [];
    for await (const { id } of client().listRequests.all({ status: '4xx' })) ids.push(id as string);
    expect(ids).toEqual(['c', 'b', 'a']);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v1/requests?per_page=100&status=4xx',
      '/api/v1/requests?per_page=100&status=4xx&before=b',
    ]);
  });

  // TRY-6
  it('requests a dry run, and throws if the response does not confirm the dry run', async () => {
    const confirmed: Turn = (response, request) =>
      respondWith({ id: 'a' })(response.setHeader('preference-applied', 'dry-run, handling=strict'), request);
    server.turns = [confirmed, respondWith({ id: 'a' })];
    const api = client();
    const headers = { prefer: 'handling=strict' };
    expect(await api.createEvent({}, { dryRun: true, headers })).toEqual({ id: 'a' });
    expect(server.requests[0]?.headers.prefer).toBe('handling=strict, dry-run');
    expect(await failure(api.createEvent({}, { dryRun: true }))).toBeInstanceOf(module.NotADryRun);
    expect(server.requests).toHaveLength(2);
  });

  it('sends a new idempotency key with each write request, and no key with a read request', async () => {
    server.turns = [respondWith({}), respondWith({}), respondWith({})];
    const api = client();
    await api.createEvent({});
    await api.createEvent({});
    await api.getUser();
    expect(new Set(server.requests.slice(0, 2).map(({ key }) => key)).size).toBe(2);
    expect(server.requests[2]?.key).toBeUndefined();
  });

  it('after a 429, repeats even a write request without an idempotency key; after a lost connection or a 503, does not repeat it', async () => {
    server.turns = [closeConnection];
    expect(await failure(client().createEvent({}, { idempotencyKey: null }))).toBeInstanceOf(TypeError);
    server.turns = [refuse(503, 'service_unavailable', { 'retry-after': '0' })];
    expect(await failure(client().createEvent({}, { idempotencyKey: null }))).toMatchObject({
      code: 'service_unavailable',
    });
    server.turns = [refuse(429, 'too_many_requests', { 'retry-after': '0' }), respondWith({})];
    await client().createEvent({}, { idempotencyKey: null });
    expect(server.requests.map(({ key }) => key)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('stops after the configured number of retries, and does not repeat a request after a refusal such as event_full', async () => {
    server.turns = Array.from({ length: 9 }, () => refuse(500, 'server_error'));
    expect(await failure(client({ retries: 2 }).getUser())).toMatchObject({ code: 'server_error', status: 500 });
    expect(server.requests).toHaveLength(3);
    server.forget();
    server.turns = Array.from({ length: 9 }, () => refuse(503, 'service_unavailable', { 'retry-after': '0' }));
    expect(await failure(client({ retries: 2 }).getUser())).toMatchObject({ code: 'service_unavailable' });
    expect(server.requests).toHaveLength(3);
    server.turns = [refuse(409, 'event_full'), refuse(429, 'daily_event_limit')];
    const error = await failure(client().joinEvent({ id: 'a' }));
    expect([
      module.refused(error, 'event_full'),
      module.refused(error),
      module.refused(error, 'not_found'),
      module.refused(new Error('event_full')),
    ]).toEqual([true, true, false, false]);
    expect(await failure(client().createEvent({}))).toMatchObject({
      code: 'daily_event_limit',
      retryAfterMs: undefined,
    });
    expect(server.requests).toHaveLength(5);
  });

  it('waits as long as Retry-After requires, and throws immediately if this time is too long', async () => {
    server.turns = [refuse(429, 'too_many_requests', { 'retry-after': '1' }), respondWith({})];
    const started = performance.now();
    await client().getUser();
    expect(performance.now() - started).toBeGreaterThan(990);
    server.turns = [refuse(429, 'daily_event_limit', { 'retry-after': '3600' })];
    expect(await failure(client().createEvent({}))).toMatchObject({
      code: 'daily_event_limit',
      retryAfterMs: 3_600_000,
    });
    server.turns = [refuse(429, 'too_many_requests', { 'retry-after': '1' })];
    expect(await failure(client({ patienceMs: 500 }).getUser())).toMatchObject({ code: 'too_many_requests' });
    server.turns = [
      refuse(429, 'too_many_requests', {
        date: 'Sun, 06 Nov 1994 08:49:37 GMT',
        'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT',
      }),
      respondWith({}),
    ];
    await client().getUser();
    expect(server.requests).toHaveLength(6);
  });

  it('aborts an attempt after the timeout and tries again, and stops when the signal of the call is aborted', async () => {
    server.turns = [noResponse, respondWith({ id: 'a' })];
    expect(await client({ timeoutMs: 100 }).getUser()).toEqual({ id: 'a' });
    server.turns = [noResponse];
    expect(await failure(client({ timeoutMs: 50, retries: 0 }).getUser())).toMatchObject({ name: 'TimeoutError' });
    for (const turn of [noResponse, refuse(429, 'too_many_requests', { 'retry-after': '30' })]) {
      server.turns = [turn];
      const reason = new Error('enough');
      const controller = new AbortController();
      const called = failure(client().createEvent({}, { signal: controller.signal }));
      setTimeout(() => controller.abort(reason), 100);
      expect(await called).toBe(reason);
    }
    expect(await failure(client().getUser({}, { signal: AbortSignal.abort(new Error('before')) }))).toMatchObject({
      message: 'before',
    });
    expect(server.requests).toHaveLength(5);
  });

  it('distinguishes responses of other servers from refusals of the API', async () => {
    server.turns = [
      (response) => response.writeHead(404).end('<h1>Nothing here</h1>'),
      (response) => response.end("<h1>Sign in to the café's network</h1>"),
    ];
    for (const status of [404, 200]) {
      const error = await failure(client().getUser());
      expect(error).toBeInstanceOf(module.UnexpectedAnswer);
      expect(error).toMatchObject({ status, text: expect.stringContaining('<h1>') });
    }
  });

  it('encodes paths, queries and bodies, and no parameter can change the path', async () => {
    server.turns = [respondWith([]), respondWith({}), respondWith({}), respondWith({})];
    const api = client({ baseUrl: `${server.origin}/`, token: async () => 'evt_fresh', language: 'cs' });
    await api.discoverEvents({ q: 'tea & cake', lat: 50.1, type: undefined, ids: ['a', 'b'] });
    await api.updateEvent({ id: 'a/b?c', title: 'Tea', price_note: null }, { ifMatch: '"1"' });
    await api.removeEventParticipant({ id: 'a', slug: 'b', ban: true }).catch(() => undefined);
    expect(server.requests.slice(0, 3).map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/v1/discover/events?q=tea+%26+cake&lat=50.1&ids=a%2Cb', ''],
      ['PATCH', '/api/v1/events/a%2Fb%3Fc', '{"title":"Tea","price_note":null}'],
      ['DELETE', '/api/v1/events/a/participants/b?ban=true', ''],
    ]);
    expect(server.requests[1]?.headers).toMatchObject({
      authorization: 'Bearer evt_fresh',
      'accept-language': 'cs',
      'if-match': '"1"',
      'content-type': 'application/json',
      accept: 'application/json',
    });
    for (const id of ['', '.', '..', undefined, null, {}])
      expect(await failure(api.deleteEvent({ id }))).toBeInstanceOf(TypeError);
    expect(server.requests).toHaveLength(3);
  });

  it('repeats an upload with the same form data, for files from every kind of source', async () => {
    const bytes = Buffer.from('bytes of a picture');
    const files = [
      new Blob([bytes]),
      new File([bytes], 'tea.jpg'),
      bytes,
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]),
      new Blob([bytes]).stream(),
    ];
    server.turns = [closeConnection, respondWith([])];
    await client().uploadEventImages({ id: 'a', images: files });
    const parts = server.requests.map(({ body }) => body.split(/--[-\w]+\r?\n?/).filter(Boolean));
    expect(parts[1]).toEqual(parts[0]);
    expect(
      parts[0]?.filter(
        (part) => part.includes('name="images[]"; filename="') && part.includes('\r\n\r\nbytes of a picture\r\n'),
      ),
    ).toHaveLength(6);
    server.turns = [respondWith({}), respondWith({})];
    await client().commentOnEvent({ id: 'a', body: 'Ahoj' });
    await client().commentOnEvent({ id: 'a', body: 'Ahoj', parent: null, image: bytes });
    expect([server.requests[2]?.headers['content-type'], server.requests[3]?.headers['content-type']]).toEqual([
      'application/json',
      expect.stringMatching(/^multipart/),
    ]);
    expect(server.requests[3]?.body).not.toContain('parent');
  });

  it('reads pages by their numbers, and only from the configured host', async () => {
    server.turns = [
      page([1, 2], 'https://elsewhere.example/api/v1/groups?per_page=100&page=2'),
      page([3], 'https://elsewhere.example/api/v1/groups?per_page=100&page=3'),
      page([4], null),
    ];
    const found: number[] = [];
    for await (const one of client().listGroups.all({ relation: 'member' })) found.push(one);
    expect(found).toEqual([1, 2, 3, 4]);
    const firstPage = '/api/v1/groups?per_page=100&relation=member';
    expect(server.requests.map(({ url }) => url)).toEqual([firstPage, `${firstPage}&page=2`, `${firstPage}&page=3`]);
  });
});
