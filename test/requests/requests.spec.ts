import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Eraser } from '#areas/own-data/erasure/eraser';
import { RequestLog } from '#areas/requests/request-log';
import { RequestsReader } from '#areas/requests/requests.reader';
import { TokensCommands } from '#areas/identity/tokens.commands';
import { DatabaseServer } from '#platform/database/database-server';
import { buildEvent } from '#testing/builders';
import { EventStream } from '#testing/event-stream';
import { signedInPerson, OAuthApp } from '#testing/oauth-app';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const PASSWORD = 'correct horse';

const DAY_MS = 86_400_000;

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly route: string | null;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly ms: number;
  readonly bytes: number;
  readonly dry_run: boolean;
  readonly token: { id: string; name: string } | null;
  readonly app: string | null;
  readonly user_agent: string | null;
  readonly request_id: string;
}

describe('the request log', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  async function flushLog(): Promise<void> {
    // The server logs a request when the response has ended. The client may have read the response before the server
    // logs the request.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.app.get(RequestLog).flush();
  }

  /** Sends the path unchanged; `fetch` would remove dot segments (`.` and `..`). */
  async function sendRaw(method: string, { token }: Person, path: string): Promise<void> {
    const sent = request(server.origin, {
      method,
      path: `/api/v1${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
    const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
  }

  /** The logged requests that the person sent before this call and that match the query, newest first. */
  async function logged(who: Person, query = ''): Promise<Entry[]> {
    await flushLog();
    const { status, body } = await who.api.get(`/requests?per_page=100${query}`);
    expect(status).toBe(200);
    return body.data as Entry[];
  }

  // LOG-1, LOG-2
  it('contains every request with its route, status and code', async () => {
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana);
    const sent = [
      await jana.api.get(`/events/${id}?secret=1`),
      await jana.api.patch(`/events/${id}`, { title: '' }),
      await jana.api.delete('/nothing/here'),
      await jana.api.put(`/events/${id}`),
      await jana.api.send('GET', '/%'),
      await jana.api.send('DELETE', `/events/${id}`, { headers: { prefer: 'dry-run', 'user-agent': 'Test/1.0' } }),
    ];
    const entries = await logged(jana);
    expect(
      entries.map(({ method, route, path, status, code, dry_run }) => [method, route, path, status, code, dry_run]),
    ).toEqual([
      ['DELETE', '/api/v1/events/{id}', `/api/v1/events/${id}`, 204, null, true],
      ['GET', null, '/api/v1/%', 404, 'not_found', false],
      ['PUT', null, `/api/v1/events/${id}`, 405, 'method_not_allowed', false],
      ['DELETE', null, '/api/v1/nothing/here', 404, 'not_found', false],
      ['PATCH', '/api/v1/events/{id}', `/api/v1/events/${id}`, 422, 'validation_failed', false],
      ['GET', '/api/v1/events/{id}', `/api/v1/events/${id}`, 200, null, false],
    ]);
    expect(entries.map(({ request_id }) => request_id)).toEqual(
      sent.map(({ headers }) => headers.get('x-request-id')).reverse(),
    );
    expect(entries.at(-1)?.bytes).toBe(Buffer.byteLength(sent[0]?.text ?? ''));
    expect([entries[0]?.user_agent, entries[0]?.bytes, entries[0]?.app]).toEqual(['Test/1.0', 0, null]);
    for (const { ms, at } of entries) {
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    }
  });

  // LOG-2
  it('hides a text that looks like a token, even if it is the whole user agent', async () => {
    const jana = await server.person('jana');
    for (const agent of ['short/1.0', `ghp_${'a1'.repeat(18)}`])
      await jana.api.send('GET', '/user', { headers: { 'user-agent': agent } });
    expect((await logged(jana)).map(({ user_agent }) => user_agent)).toEqual(['[hidden]', 'short/1.0']);
  });

  // LOG-1, LOG-4
  it('contains each of many parallel requests exactly once, even across pages', async () => {
    const { petr, jana } = await server.people('petr', 'jana');
    await Promise.all(Array.from({ length: 120 }, (_, n) => petr.api.get(`/posts/number-${n}`)));
    await jana.api.get('/posts/hers');
    await flushLog();
    const paths: string[] = [];
    for (let before = ''; ;) {
      const { data } = (await petr.api.get(`/requests?per_page=50&route=/api/v1/posts/{slug}${before}`)).body as {
        data: Entry[];
      };
      paths.push(...data.map(({ path }) => path));
      if (data.length < 50) break;
      before = `&before=${data.at(-1)?.id}`;
    }
    expect(paths.sort()).toEqual(Array.from({ length: 120 }, (_, n) => `/api/v1/posts/number-${n}`).sort());
  });

  // LOG-4
  it('can be filtered by status, code, route and token', async () => {
    const jana = await server.person('jana');
    await jana.api.get('/user');
    await jana.api.get('/posts/nothing');
    await jana.api.post('/posts', {});
    const statuses = async (query: string) => (await logged(jana, query)).map(({ status }) => status);
    expect(await statuses('&status=4xx')).toEqual([422, 404]);
    expect(await statuses('&status=404')).toEqual([404]);
    expect(await statuses('&code=validation_failed')).toEqual([422]);
    expect(await statuses('&route=/api/v1/user')).toEqual([200]);
    const [entry] = await logged(jana, '&status=404');
    expect(await statuses(`&status=4xx&token=${entry?.token?.id}`)).toEqual([422, 404]);
    expect(await statuses('&token=unknown')).toEqual([]);
    for (const query of ['status=6xx', 'status=99', 'status=abc', 'before=nothing', 'per_page=101']) {
      const refused = await jana.api.get(`/requests?${query}`);
      expect([query, refused.status, Object.keys(refused.body.errors as object)]).toEqual([
        query,
        422,
        [query.split('=')[0]],
      ]);
    }
  });

  // LOG-2
  it('still shows the name of a revoked token, and contains requests that were refused before a handler ran', async () => {
    const jana = await server.person('jana');
    await server.sql('UPDATE users SET premium_until = NULL, verified = false WHERE id = $1', [jana.userId]);
    expect((await jana.api.get('/user')).body.code).toBe('premium_required');
    await server.sql('UPDATE users SET verified = true WHERE id = $1', [jana.userId]);
    const [entry] = await logged(jana);
    expect([entry?.status, entry?.code]).toEqual([403, 'premium_required']);
    const { secret } = await server.database.transaction((tx) =>
      server.app.get(TokensCommands).create(tx, jana.userId, { name: 'other', access: 'read', expiresAt: null }),
    );
    await server.nobody.send('GET', '/user', { headers: { authorization: `Bearer ${secret}` } });
    await flushLog();
    await server.sql("DELETE FROM tokens WHERE name = 'other' AND user_id = $1", [jana.userId]);
    expect((await logged(jana)).some(({ token }) => token?.name === 'other')).toBe(true);
  });

  // LOG-9
  it('shows the name of an app, and lets an app read only the requests of its own grant', async () => {
    const { person, browser } = await signedInPerson(server, 'appka');
    const app = await OAuthApp.register(server, { name: 'Diář' });
    const connection = await app.connect(browser, 'requests:read');
    const otherConnection = await app.connect(browser, 'read');
    await connection.api.get('/limits');
    await otherConnection.api.get('/user');
    await person.api.get('/events');
    const { id } = await buildEvent(server, person);
    const { token } = (await person.api.post(`/events/${id}/door/links`, { name: 'Vchod' })).body.data;
    await clientOf(server, token as string).get(`/events/${id}/door`);
    await flushLog();
    const shown = (entries: Entry[]) => entries.map((entry) => [entry.path, entry.app, entry.token?.name ?? null]);
    expect(shown((await connection.api.get('/requests')).body.data)).toEqual([['/api/v1/limits', 'Diář', null]]);
    expect(shown(await logged(person)).filter(([path]) => !String(path).includes('links'))).toEqual([
      ['/api/v1/requests', 'Diář', null],
      [`/api/v1/events/${id}/door`, null, null],
      ['/api/v1/events', null, 'app'],
      ['/api/v1/user', 'Diář', null],
      ['/api/v1/limits', 'Diář', null],
    ]);
  });

  // LOG-3
  it('contains no secret', async () => {
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana, { join_mode: 'tickets', max_participants: 9 });
    const [{ code }] = (await jana.api.post(`/events/${id}/tickets`, { count: 1 })).body.data as [{ code: string }];
    await jana.api.delete(`/events/${id}/tickets/${code}?password=hidden-1`);
    await jana.api.get(`/events/${id}/tickets/${code}/more`);
    await jana.api.get(`/events/${id}/%74ickets/${code}`);
    await jana.api.send('GET', `/posts/${jana.token}`, { headers: { 'user-agent': `x ${jana.token}` } });
    await jana.api.get(`/posts/${'x'.repeat(2000)}`);
    await jana.api.get('/events?q=hidden-1?scope=past');
    const entries = await logged(jana);
    const text = JSON.stringify(entries);
    for (const secret of [code, 'hidden-1', jana.token, '127.0.0.1']) expect(text).not.toContain(secret);
    expect(entries.filter(({ path }) => path.includes('ickets/{code}'))).toHaveLength(3);
    expect(Math.max(...entries.map(({ path }) => path.length))).toBe(512);
    expect(entries.filter(({ path }) => path.includes('?'))).toEqual([]);
    const rows = JSON.stringify(await server.sql('SELECT * FROM request_log'));
    for (const secret of [code, 'hidden-1', jana.token]) expect(rows).not.toContain(secret);
  });

  // LOG-3
  it('contains no ticket code, even if the path belongs to no operation or to an operation without ticket codes', async () => {
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana, { join_mode: 'tickets', max_participants: 9 });
    const [{ code }] = (await jana.api.post(`/events/${id}/tickets`, { count: 1 })).body.data as [{ code: string }];
    const typed = code.toLowerCase().replaceAll('-', '');
    const pathsWith = [
      (written: string) => `/events/${id}/tickets//${written}`,
      (written: string) => `//events/${id}//tickets/${written}`,
      (written: string) => `/events/${id}/Tickets/${written}`,
      (written: string) => `/events/${id}/tickets/%2e%2e/${written}`,
      (written: string) => `/events/${id}/tickets/./${written}/more`,
    ];
    for (const pathWith of pathsWith)
      for (const written of [code, typed]) await sendRaw('DELETE', jana, pathWith(written));
    const anywhere = [
      `/tickets/${code}`,
      `/events/${code}`,
      `/posts/${code.replace('-', '%2D')}`,
      `/events/${id}/ticket/${code.toLowerCase()}`,
      `/events/${id}/tickets;${code}`,
    ];
    for (const path of anywhere) await sendRaw('GET', jana, path);
    await sendRaw('GET', jana, '/posts/nova-akce-brno');
    const entries = await logged(jana);
    expect(entries.slice(0, -1).map(({ path }) => path.replace('/api/v1', ''))).toEqual(
      [
        ...pathsWith.flatMap((pathWith) => [pathWith('{code}'), pathWith('{code}')]),
        '/tickets/{code}',
        '/events/{code}',
        '/posts/{code}',
        `/events/${id}/ticket/{code}`,
        `/events/${id}/tickets;{code}`,
        '/posts/nova-akce-brno',
      ].reverse(),
    );
    const rows = JSON.stringify(await server.sql('SELECT * FROM request_log'));
    for (const secret of [code, code.toLowerCase(), typed]) expect(rows).not.toContain(secret);
  });

  // LOG-3
  it('loses no request if a path contains an encoded NUL and a ticket code', async () => {
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana, { join_mode: 'tickets', max_participants: 9 });
    const [{ code }] = (await jana.api.post(`/events/${id}/tickets`, { count: 1 })).body.data as [{ code: string }];
    await flushLog();
    await jana.api.get('/limits');
    await sendRaw('GET', jana, `/posts/%00%20${code}`);
    const [withNul, before] = await logged(jana);
    expect([withNul?.path, before?.path]).toEqual(['/api/v1/posts/%00 {code}', '/api/v1/limits']);
  });

  // LOG-1
  it('contains the request of a stream only after the stream has ended', async () => {
    const jana = await server.person('jana');
    const stream = await EventStream.open(jana);
    expect(await logged(jana)).toEqual([]);
    await stream.until(({ events }) => events.length > 0);
    const sent = stream.events.map(({ text }) => `${text}\n\n`).join('');
    stream.close();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const [, entry] = await logged(jana);
    expect([entry?.route, entry?.status]).toEqual(['/api/v1/changes', 200]);
    // `bytes` does not include the headers. The chunked encoding adds a few bytes to each part of a stream.
    expect(entry?.bytes).toBeGreaterThanOrEqual(Buffer.byteLength(sent));
    expect(entry?.bytes).toBeLessThan(Buffer.byteLength(sent) + 32);
  });

  // LOG-2
  it('contains the time at which a request was received, not the time of its response', async () => {
    const jana = await server.person('jana');
    const now = new Date('2031-05-01T10:00:00Z');
    server.clock.freezeAt(now);
    await jana.api.post('/groups', { name: 'Letná' });
    await flushLog();
    const [row] = await server.sql<{ at: Date; ms: number }>('SELECT at, ms FROM request_log WHERE user_id = $1', [
      jana.userId,
    ]);
    expect(row?.ms).toBeGreaterThan(1);
    // The clock is frozen, so the response ended at `now` and the request was received `ms` earlier. Both `at` and `ms`
    // are rounded.
    expect(Math.abs(row!.at.getTime() + row!.ms - now.getTime())).toBeLessThanOrEqual(1);
  });

  // LOG-1, LOG-2
  it('contains a request to /mcp once and without a route, and no requests that the server sends to itself', async () => {
    const jana = await server.person('jana');
    const { status } = await jana.api.send('POST', '~/mcp', {
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'my_events', arguments: {} } },
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(status).toBe(200);
    const entries = await logged(jana);
    expect(entries.map(({ method, path, route, token }) => [method, path, route, token?.name])).toEqual([
      ['POST', '/mcp', null, 'app'],
    ]);
  });

  // LOG-4
  it('can be filtered by several conditions together, and by one token of an account with several tokens', async () => {
    const jana = await server.person('jana');
    const { secret } = await server.database.transaction((tx) =>
      server.app.get(TokensCommands).create(tx, jana.userId, { name: 'other', access: 'read', expiresAt: null }),
    );
    const other = clientOf(server, secret);
    await jana.api.get('/posts/one');
    await other.get('/posts/two');
    await other.get('/user');
    const all = await logged(jana);
    const idOf = (name: string) => all.find(({ token }) => token?.name === name)?.token?.id;
    const paths = async (query: string) => (await logged(jana, query)).map(({ path }) => path);
    expect(await paths(`&token=${idOf('other')}`)).toEqual(['/api/v1/user', '/api/v1/posts/two']);
    expect(await paths(`&status=4XX&token=${idOf('other')}`)).toEqual(['/api/v1/posts/two']);
    expect(await paths(`&code=not_found&route=/api/v1/posts/{slug}&before=${all[1]?.id}`)).toEqual([
      '/api/v1/posts/one',
    ]);
    expect(await paths('&code=not_found&route=/api/v1/user')).toEqual([]);
  });

  // LOG-7
  it('stores an entry for a week, and deletes the entries of an account with the account', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    await jana.api.get('/user');
    await petr.api.get('/user');
    await flushLog();
    await server.app.get(Eraser).erase(jana.userId);
    const count = async () => (await server.sql('SELECT 1 FROM request_log WHERE user_id = $1', [jana.userId])).length;
    expect(await count()).toBe(0);
    await store(jana, new Date());
    expect(await count()).toBe(0);

    server.clock.forward(8 * DAY_MS);
    expect((await petr.api.get('/requests')).body.data).toEqual([]);
    const result = await server.job('request-log-sweep');
    expect([result.days_prepared, Number(result.days_dropped) > 0]).toEqual([3, true]);
    expect(await server.sql("SELECT 1 FROM request_log WHERE at < now() + interval '1 day'")).toEqual([]);
  });

  /** Adds to the log a request of the person, received at the time `at`. */
  async function store(who: Person, at: Date, { path = '/api/v1/stored', status = 200 } = {}): Promise<void> {
    server.app.get(RequestLog).add({
      at: at.getTime(),
      user_id: who.userId,
      request_id: 'stored',
      method: 'GET',
      route: null,
      path,
      status,
      code: null,
      ms: 1,
      bytes: 1,
      dry_run: false,
      token_id: null,
      token_name: null,
      grant_id: null,
      app_name: null,
      user_agent: null,
    });
    await server.app.get(RequestLog).flush();
  }

  // LOG-1, LOG-7
  it('contains requests of exactly the last 7 days', async () => {
    const jana = await server.person('jana');
    const now = server.clock.now();
    const [weekAgo, earlier] = [now.getTime() - 7 * DAY_MS, now.getTime() - 7 * DAY_MS - 1];
    await store(jana, new Date(weekAgo), { path: '/api/v1/week-ago' });
    await store(jana, new Date(earlier), { path: '/api/v1/earlier' });
    server.clock.freezeAt(now);
    const paths = async () => (await jana.api.get('/requests')).body.data.map(({ path }: Entry) => path);
    expect(await paths()).toEqual(['/api/v1/week-ago']);
    await server.job('request-log-sweep');
    const stored = await server.sql<{ path: string }>('SELECT path FROM request_log WHERE user_id = $1', [jana.userId]);
    expect(stored.map(({ path }) => path)).toContain('/api/v1/week-ago');
  });

  // LOG-1
  it('lists the latest 10,000 requests, newest first', async () => {
    const jana = await server.person('jana');
    await server.sql(
      `INSERT INTO request_log (id, at, user_id, request_id, method, path, status, ms, bytes, dry_run)
       SELECT n, now(), $1, n, 'GET', '/api/v1/number/' || n, CASE WHEN n = 1 THEN 404 ELSE 200 END, 1, 1, false
         FROM generate_series(1, 10001) n`,
      [jana.userId],
    );
    const { data, meta } = (await jana.api.get('/requests?per_page=2')).body;
    expect([meta.total, data.map(({ path }: Entry) => path)]).toEqual([
      10_000,
      ['/api/v1/number/10001', '/api/v1/number/10000'],
    ]);
    // The filters search only the latest 10,000 requests; the request with 404 is older.
    expect((await jana.api.get('/requests?status=404')).body.data).toEqual([]);
  });

  // LOG-2
  it('contains 0 as the size of a response without a body: HEAD, 304 and 204', async () => {
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana);
    await jana.api.send('HEAD', '/user');
    await jana.api.send('GET', '/user', { headers: { 'if-none-match': '*' } });
    await jana.api.delete(`/events/${id}`);
    expect((await logged(jana)).map(({ method, status, bytes }) => [method, status, bytes])).toEqual([
      ['DELETE', 204, 0],
      ['GET', 304, 0],
      ['HEAD', 200, 0],
    ]);
  });

  // LOG-8
  it('counts the accepted and the refused requests for the chart, in spans of six hours', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    for (const [at, status] of [
      ['2031-05-07T12:30:00Z', 500],
      ['2031-05-07T12:00:00Z', 200],
      ['2031-05-07T11:59:59Z', 404],
      ['2031-05-07T11:00:00Z', 399],
      ['2031-05-07T11:00:00Z', 400],
      ['2031-04-30T18:00:00Z', 304],
      ['2031-04-30T17:59:59Z', 200],
    ] as const)
      await store(jana, new Date(at), { status });
    await store(petr, new Date('2031-05-07T12:30:00Z'));
    server.clock.freezeAt('2031-05-07T13:00:00Z');
    const counts = async (status?: string) => {
      const owner = { userId: jana.userId, grantId: null };
      const spans = await server.app.get(RequestsReader).overTime(owner, status === undefined ? {} : { status });
      return [
        spans.length,
        spans
          .filter(({ done, refused }) => done + refused > 0)
          .map(({ at, done, refused }) => [at.toISOString(), done, refused]),
      ];
    };
    expect(await counts()).toEqual([
      28,
      [
        ['2031-04-30T18:00:00.000Z', 1, 0],
        ['2031-05-07T06:00:00.000Z', 1, 2],
        ['2031-05-07T12:00:00.000Z', 1, 1],
      ],
    ]);
    expect(await counts('4xx')).toEqual([28, [['2031-05-07T06:00:00.000Z', 0, 2]]]);
  });

  // LOG-8
  it('is shown on a page with a chart', async () => {
    const jana = await server.person('jana', { email: 'page@example.org', password: PASSWORD });
    await jana.api.get('/posts/of-the-page');
    await flushLog();
    const visitor = new Visitor(server);
    await visitor.submit('/sign-in', { email: 'page@example.org', password: PASSWORD });
    const page = await visitor.get('/account/requests');
    expect(page.status).toBe(200);
    for (const part of ['/api/v1/posts/of-the-page', 'not_found', '<svg class="chart"', 'chart-1'])
      expect(page.html).toContain(part);
    expect((await visitor.get('/account/requests?status=2xx')).html).not.toContain('of-the-page');
    expect((await visitor.get('/account/requests?status=9')).status).toBe(422);
  });

  // LOG-6
  it('contains all requests that a server received before it was stopped', async () => {
    const jana = await server.person('jana');
    const stopped = await TestServer.start({ databaseUrl: server.app.get(DatabaseServer).url });
    const paths = Array.from({ length: 20 }, (_, n) => `/posts/before-the-stop-${n}`);
    try {
      await Promise.all(paths.map((path) => clientOf(stopped, jana.token).get(path)));
    } finally {
      await stopped.stop();
    }
    const { body } = await jana.api.get('/requests?per_page=100');
    expect(body.data.map(({ path }: Entry) => path).sort()).toEqual(paths.map((path) => `/api/v1${path}`).sort());
  });

  // LOG-6
  it('drops new entries while 10,000 entries are not yet written', async () => {
    const jana = await server.person('jana');
    await flushLog();
    const log = server.app.get(RequestLog);
    const entry = { at: Date.now(), user_id: jana.userId, request_id: 'r', method: 'GET', route: null, path: '/p' };
    const rest = { status: 200, code: null, ms: 1, bytes: 1, dry_run: false, token_id: null, token_name: null };
    const none = { grant_id: null, app_name: null, user_agent: null };
    for (let n = 0; n < 12_000; n++) log.add({ ...entry, ...rest, ...none });
    await log.flush();
    const [rows] = await server.sql<{ total: number }>(
      'SELECT count(*)::int AS total FROM request_log WHERE user_id = $1',
      [jana.userId],
    );
    expect(rows?.total).toBe(10_000);
  });
});

// LOG-5
it('if the request log is turned off, GET /requests answers 404, and the account pages have no tab for it', async () => {
  const server = await TestServer.start({ requestLog: false });
  try {
    const jana = await server.person('jana', { email: 'off@example.org', password: PASSWORD });
    expect((await jana.api.get('/requests')).body.code).toBe('not_found');
    const visitor = new Visitor(server);
    await visitor.submit('/sign-in', { email: 'off@example.org', password: PASSWORD });
    expect((await visitor.get('/account/requests')).status).toBe(404);
    expect((await visitor.get('/account/notices')).html).not.toContain('/account/requests');
    expect(await server.sql('SELECT 1 FROM request_log')).toEqual([]);
  } finally {
    await server.stop();
  }
});
