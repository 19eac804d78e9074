import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Logger, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { LIMITS } from '#contract/limits';
import { REFUSALS, type RefusalCode } from '#contract/refusals';
import { Settings } from '#platform/config/settings';
import { Refusal } from '#platform/http/refusal';
import { RouteTable } from '#platform/http/routes';
import { Attempt } from '#platform/retries/attempt';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Answer, HttpClient } from '#testing/http-client';
import { InjectingClient } from '#testing/injected-get';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { seriesBody } from '#testing/series';
import { TestServer } from '#testing/test-server';

const API = '/api/v1';
const DOCUMENT = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, { get?: { parameters?: { in: string }[] } }>;
};
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const CODES = Object.keys(REFUSALS) as RefusalCode[];
const PARALLEL_REQUESTS = 10;
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

type Route = { method: string; url: string; path: string };

/**
 * Throws the error that is named in the header `x-fault` of the request, before the handler of the route runs. With
 * this header, each error can be tested on each route.
 */
@Injectable()
class FaultInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const fault = context.switchToHttp().getRequest<FastifyRequest>().headers['x-fault'];
    if (fault === 'defect') throw new TypeError('undefined is not a function: secret detail');
    if (fault === 'database')
      throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
    if (typeof fault === 'string')
      throw new Refusal(
        fault as RefusalCode,
        fault === 'validation_failed' ? { errors: { title: [{ key: 'required' }] } } : {},
      );
    return next.handle();
  }
}

/** The running server reports its routes, so new routes of the API are tested too. */
describe('every route', () => {
  let server: TestServer;
  let jana: Person;
  let routes: Route[];

  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true }, (app) => {
      app.useGlobalInterceptors(new FaultInterceptor());
    });
    jana = await server.person('jana');
    routes = server.app
      .get(RouteTable)
      .list()
      .filter(({ method, url }) => url.startsWith(`${API}/`) && METHODS.includes(method))
      .map(({ method, url }) => ({ method, url, path: url.slice(API.length).replace(/:\w+/g, 'nowhereatall') }));
  });
  afterAll(() => server.stop());

  const clientOfJana = () => new InjectingClient(server, jana.token);

  function expectEnvelope(answer: Answer, status: number, code: string): void {
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      message: expect.stringMatching(/\S/),
      code,
      ...(code === 'validation_failed' && { errors: expect.any(Object) }),
    });
    for (const header of [
      'x-request-id',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'access-control-allow-origin',
    ]) {
      expect(answer.headers.get(header)).toEqual(expect.any(String));
    }
    // DOC-6
    const help = [400, 408, 431].includes(status)
      ? null
      : `<${server.app.get(Settings).baseUrl}/docs/errors/${code}>; rel="help"`;
    expect(answer.headers.get('link')).toBe(help);
  }

  async function expectEach(
    client: HttpClient,
    which: (route: Route) => boolean,
    status: number,
    code: string,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const selected = routes.filter((route) => which(route));
    // The number of parallel requests is limited to the number of database connections, because a request that waits
    // too long for a connection gets 503.
    for (let first = 0; first < selected.length; first += PARALLEL_REQUESTS) {
      const batch = selected.slice(first, first + PARALLEL_REQUESTS);
      const answers = await Promise.all(batch.map(({ method, path }) => client.send(method, path, { headers })));
      for (const answer of answers) expectEnvelope(answer, status, code);
    }
  }

  it('is found by this test, for example GET /api/v1/discover/events/:id', () => {
    expect(routes.map(({ method, url }) => `${method} ${url}`)).toContain('GET /api/v1/discover/events/:id');
  });

  // ACC-1, WIRE-36
  it('answers 401 without a token', () =>
    expectEach(new InjectingClient(server, null), () => true, 401, 'unauthenticated'));

  // ACC-6
  it('answers 403 to a write request with a read-only token', async () => {
    const reader = await server.person('reader', { access: 'read' });
    await expectEach(
      new InjectingClient(server, reader.token),
      ({ method }) => WRITES.includes(method),
      403,
      'insufficient_scope',
    );
  });

  // ACC-5, ACC-7
  it('answers 403 to banned accounts and to accounts without Premium', async () => {
    const { token: banned } = await server.person('banned', { banned: true });
    await expectEach(new InjectingClient(server, banned), () => true, 403, 'banned');
    const { token: lapsed } = await server.person('lapsed', { premium_until: null });
    await expectEach(new InjectingClient(server, lapsed), () => true, 403, 'premium_required');
  });

  // WIRE-38
  it('answers 405 with Allow to every method that it does not support', async () => {
    const byPath = new Map<string, string[]>();
    for (const { method, path } of routes) byPath.set(path, [...(byPath.get(path) ?? []), method]);
    for (const [path, supported] of byPath) {
      for (const method of METHODS.filter((one) => !supported.includes(one))) {
        const answer = await clientOfJana().send(method, path);
        // The path may match another route: DELETE /puls/mine matches DELETE /puls/:id with the unknown id `mine`.
        if (answer.status === 404) continue;
        expectEnvelope(answer, 405, 'method_not_allowed');
        for (const one of supported) expect(answer.headers.get('allow')).toContain(one);
      }
    }
  });

  // WIRE-37, WIRE-39
  it('answers 422 to a body that is not a JSON object', async () => {
    for (const { method, path } of routes.filter((route) => WRITES.includes(route.method))) {
      for (const [type, body] of [
        ['application/json', '{'],
        ['application/json', '[]'],
        ['text/plain', 'x'],
      ] as const) {
        const answer = await clientOfJana().send(method, path, { body, headers: { 'content-type': type } });
        expectEnvelope(answer, 422, 'validation_failed');
        expect(answer.body.errors).toHaveProperty('body');
      }
    }
  });

  // WIRE-3
  it('answers 404 if a slug or code in the path contains NUL, which PostgreSQL does not accept', async () => {
    const [{ id }, client] = [await buildEvent(server, jana), clientOfJana()];
    for (const { method, url } of routes.filter((route) => /:(slug|code)/.test(route.url))) {
      const path = url
        .slice(API.length)
        .replace(':id', id)
        .replace(/:(slug|code)/, 'a%00b')
        .replace(/:\w+/g, 'nowhereatall');
      const answer = await client.send(method, path, WRITES.includes(method) ? { json: {} } : {});
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
  });

  // WIRE-42, DOC-2
  it('answers 413 to a body that is too large', async () => {
    const body = JSON.stringify({ title: 'x'.repeat(LIMITS.transport.json_body) });
    for (const { method, path } of routes.filter((route) => WRITES.includes(route.method))) {
      expectEnvelope(
        await jana.api.send(method, path, { body, headers: { 'content-type': 'application/json' } }),
        413,
        'payload_too_large',
      );
    }
  });

  // WIRE-37, DOC-2
  it('answers 404 if the path refers to no resource', async () => {
    for (const { method, url, path } of routes.filter((route) => route.url.includes(':'))) {
      const answer = await clientOfJana().send(method, path, WRITES.includes(method) ? { json: {} } : {});
      expect([method, url, answer.status]).toEqual([method, url, 404]);
    }
  });

  // WIRE-37, DOC-2
  it('answers 422 if query parameters are invalid or missing', async () => {
    const [event, group] = [await buildEvent(server, jana), await buildGroup(server, jana)];
    const series = (await jana.api.post('/series', seriesBody())).body.data;
    const post = (
      await jana.api.post('/posts', { title: 'Cesta', categories: ['kolo'], body: 'Jeli jsme.', status: 'published' })
    ).body.data;
    const webhook = (await jana.api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data;
    const ids: Record<string, string> = {
      events: event.id,
      groups: group.id,
      series: series.id,
      posts: post.slug,
      webhooks: webhook.id,
    };
    const listing = routes.filter(({ method, url }) => method === 'GET' && takesQuery(url));
    for (const { url } of listing) {
      const path = url.slice(API.length).replace(/(\w+)\/:\w+/g, (_all, kind: string) => `${kind}/${ids[kind] ?? ''}`);
      expectEnvelope(await jana.api.get(`${path}?page=0&per_page=0&lat=north&limit=0`), 422, 'validation_failed');
    }
    expect(listing.length).toBeGreaterThan(10);
  });

  // RETRY-7, RETRY-9, DOC-2
  it('answers 409 if a request with the same idempotency key is in progress, and 422 if the key was used for a different request', async () => {
    const key = randomUUID();
    const { lock } = new Attempt(jana.userId, createHash('sha256').update(key).digest('base64url'));
    await server.sql('SELECT pg_advisory_lock($1)', [lock]);
    await expectEach(clientOfJana(), ({ method }) => WRITES.includes(method), 409, 'request_in_progress', {
      'idempotency-key': key,
    });
    await server.sql('SELECT pg_advisory_unlock($1)', [lock]);

    const used = { 'idempotency-key': randomUUID() };
    expect(
      (
        await jana.api.send('POST', '/posts', {
          json: { title: 'Klíč', categories: ['kolo'], body: 'Jeden.' },
          headers: used,
        })
      ).status,
    ).toBe(201);
    await expectEach(clientOfJana(), ({ method }) => WRITES.includes(method), 422, 'idempotency_key_reused', used);
  });

  function takesQuery(url: string): boolean {
    const operation = DOCUMENT.paths[url.replace(/:(\w+)/g, '{$1}')]?.get;
    return operation?.parameters?.some((parameter) => parameter.in === 'query') ?? false;
  }

  // WIRE-35, WIRE-36
  it.each(CODES.map((code, index) => [code, index] as const))(
    'returns the error format for %s',
    async (code, index) => {
      // By default, each route is tested with some of the codes, and each code on some of the routes. A thorough run
      // tests each route with each code.
      const stride = Math.ceil(CODES.length / repetitions('codes_of_a_route'));
      const chosen = routes.filter((_, position) => (position + index) % stride === 0);
      expect(chosen).not.toEqual([]);
      // The server logs an error for 500. The test checks the logged error, which is not printed.
      const logged =
        REFUSALS[code].status === 500
          ? jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined)
          : null;
      try {
        await expectEach(clientOfJana(), (route) => chosen.includes(route), REFUSALS[code].status, code, {
          'x-fault': code,
        });
        const expectedCalls = chosen.map(() => [
          { err: expect.any(Refusal), request_id: expect.any(String) },
          'unexpected error',
        ]);
        if (logged) expect(logged.mock.calls).toEqual(expectedCalls);
      } finally {
        logged?.mockRestore();
      }
    },
  );

  // WIRE-44
  it('answers 500 to a programming error and 503 to an unavailable database, without details', async () => {
    server.app.useLogger(false); // the errors below are expected, so they are not logged
    await expectEach(clientOfJana(), () => true, 500, 'server_error', { 'x-fault': 'defect' });
    await expectEach(clientOfJana(), () => true, 503, 'server_error', { 'x-fault': 'database' });
    const answer = await jana.api.send('GET', '/user', { headers: { 'x-fault': 'database' } });
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]/);
    expect(answer.text).not.toContain('10.0.0.7');
  });

  // LIM-3
  it('answers 429 with Retry-After if the rate limit is exceeded', async () => {
    const strict = await TestServer.start({ rateLimitTokenPerMinute: 1 });
    const petr = await strict.person('petr');
    await petr.api.get('/user');
    const client = new InjectingClient(strict, petr.token);
    for (const { method, path } of routes) {
      const answer = await client.send(method, path);
      expectEnvelope(answer, 429, 'too_many_requests');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    }
    await strict.stop();
  });
});
